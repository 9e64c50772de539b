// Where memory comes from: every allocator of the C and C++ libraries, allocators of the program's own, and what each
// of them asks of the release.
#include "support/heap_growth.hpp"
#include "support/vector_program.hpp"
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

double sum_of_products(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[n - 1 - i];
  return sum;
}

double from_posix_memalign(const double *x, int n) {
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, n * sizeof(double)) != 0)
    return 0;
  auto *copy = static_cast<double *>(memory);
  for (int i = 0; i < n; ++i)
    copy[i] = std::exp(0.3 * x[i]);
  const double sum = sum_of_products(copy, x, n);
  free(memory);
  return sum;
}

double from_memalign(const double *x, int n) {
  auto *first = static_cast<double *>(memalign(32, n * sizeof(double)));
  auto *second = static_cast<double *>(aligned_alloc(64, 64 * ((n * sizeof(double) + 63) / 64)));
  for (int i = 0; i < n; ++i) {
    first[i] = x[i] * x[i];
    second[i] = first[i] * x[0];
  }
  const double sum = sum_of_products(first, second, n);
  free(first);
  free(second);
  return sum;
}

struct alignas(64) Wide {
  double values[8];
};

__attribute__((noinline)) Wide *make_wide(double value) {
  auto *wide = new Wide;
  for (double &element : wide->values)
    element = value;
  return wide;
}

/// The size and the alignment are told to the release as well; the block leaves the function that made it.
double from_aligned_new(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Wide *wide = make_wide(x[i]);
    wide->values[3] *= x[0];
    sum += wide->values[2] * wide->values[3];
    delete wide;
  }
  auto *many = new Wide[2];
  for (int i = 0; i < n; ++i)
    many[i % 2].values[i] = x[i];
  sum += many[0].values[0] * many[1].values[1];
  delete[] many;
  return sum;
}

double from_nothrow_new(const double *x, int n) {
  auto *copy = new (std::nothrow) double[n];
  if (!copy)
    return 0;
  for (int i = 0; i < n; ++i)
    copy[i] = x[i] * x[i];
  const double sum = sum_of_products(copy, x, n);
  delete[] copy;
  return sum;
}

double released_by_realloc(const double *x, int n) {
  auto *copy = static_cast<double *>(realloc(nullptr, 2 * n * sizeof(double)));
  for (int i = 0; i < 2 * n; ++i)
    copy[i] = x[i % n] * (i + 1);
  copy = static_cast<double *>(realloc(copy, n * sizeof(double)));
  const double sum = sum_of_products(copy, x, n);
  free(realloc(copy, 0));
  return sum;
}

/// Byte by byte, as a program without a library would copy.
void copy_bytes(void *to, const void *from, std::size_t size) {
  auto *target = static_cast<char *>(to);
  const auto *source = static_cast<const char *>(from);
  while (size-- > 0)
    *target++ = *source++;
}

double copied_byte_by_byte(const double *x, int n) {
  double copy[8];
  copy_bytes(copy, x, n * sizeof(double));
  return sum_of_products(copy, x, n);
}

// --- a program's own allocator, whose memory the library's release does not know
// --------------------------------------

struct Pool {
  alignas(16) char memory[4096];
  std::size_t used = 0;
  int live = 0;
} pool;

__attribute__((noinline)) void *take(Pool *from, std::size_t size) {
  ++from->live;
  void *memory = from->memory + from->used;
  from->used += (size + 15) / 16 * 16;
  return memory;
}
__attribute__((noinline)) void give_back(void *memory, Pool *to) {
  if (memory && --to->live == 0)
    to->used = 0;
}
[[maybe_unused]] void *__enzyme_allocation_like_pool[] = {(void *)take, (void *)1, (void *)"-1,0", (void *)give_back};

double from_a_pool(const double *x, int n) {
  double sum = 0;
  for (int pass = 1; pass <= 3; ++pass) {
    auto *copy = static_cast<double *>(take(&pool, n * sizeof(double)));
    for (int i = 0; i < n; ++i)
      copy[i] = x[i] * pass;
    sum += sum_of_products(copy, copy, n);
    give_back(copy, &pool);
  }
  return sum;
}

struct Buffer {
  double *data;
};
__attribute__((noinline)) void open(Buffer *buffer, int n) {
  buffer->data = static_cast<double *>(take(&pool, n * sizeof(double)));
}
__attribute__((noinline)) void close(Buffer *buffer) {
  give_back(buffer->data, &pool);
  buffer->data = nullptr;
}

double from_a_pool_elsewhere(const double *x, int n) {
  Buffer buffer;
  open(&buffer, n);
  for (int i = 0; i < n; ++i)
    buffer.data[i] = x[i] * x[i];
  const double sum = sum_of_products(buffer.data, x, n);
  close(&buffer);
  return sum;
}

/// Memory in which places that are free keep a pointer to the next one where the others keep a number.
template <class Value, int Count>
struct FreeList {
  union Slot {
    Slot *next;
    alignas(Value) unsigned char bytes[sizeof(Value)];
  };
  Slot slots[Count];
  Slot *first = slots;
  FreeList() {
    for (int i = 0; i + 1 < Count; ++i)
      slots[i].next = &slots[i + 1];
    slots[Count - 1].next = nullptr;
  }
  template <class... Arguments>
  Value *make(Arguments... arguments) {
    if (first == nullptr)
      throw std::bad_alloc();
    Slot *slot = first;
    first = slot->next;
    return ::new (slot->bytes) Value{arguments...};
  }
  void release(Value *value) {
    Slot *slot = reinterpret_cast<Slot *>(value);
    slot->next = first;
    first = slot;
  }
};

struct Link {
  double number;
  Link *next;
};

/// Had the list no link, the second one would be read through a null pointer.
double links_of_a_free_list(const double *x, int n) {
  FreeList<Link, 6> memory;
  Link *list = nullptr;
  for (int i = 0; i < n; ++i)
    list = memory.make(x[i] * x[i], list);
  Link *second = list->next;
  list->next = second->next;
  double sum = second->number;
  memory.release(second);
  list = memory.make(sum * x[1], list);
  for (int i = 1; list != nullptr; list = list->next)
    sum += list->number * i++;
  return sum;
}

} // namespace

PLUGIN_TEST(Allocators, PosixMemalignStoresActiveMemory) {
  CHECK_FUNCTION(from_posix_memalign, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(from_posix_memalign, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, AlignedMemoryIsReleasedLikeAny) {
  CHECK_FUNCTION(from_memalign, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(from_memalign, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, AlignedNewIsReleasedByAlignedDelete) {
  CHECK_FUNCTION(from_aligned_new, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(from_aligned_new, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, NewMayReturnNull) {
  CHECK_FUNCTION(from_nothrow_new, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(from_nothrow_new, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, ReallocMayAllocateShrinkAndRelease) {
  CHECK_FUNCTION(released_by_realloc, 0.7, 1.1, 1.6, 0.4);
  EXPECT_NOTHING_LEFT(released_by_realloc, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, BytesThatAreCopiedOneByOneCarryDerivatives) {
  CHECK_FUNCTION(copied_byte_by_byte, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, FreePlacesAreLinked) {
  CHECK_FUNCTION(links_of_a_free_list, 0.7, 1.1, 1.6, 0.4);
}
PLUGIN_TEST(Allocators, ARegisteredAllocatorServesShadowsToo) {
  CHECK_FUNCTION(from_a_pool, 0.7, 1.1, 1.6, 0.4);
  EXPECT_HOLDS(pool.live == 0);
}
PLUGIN_TEST(Allocators, ARegisteredAllocatorMayBeUsedInOtherFunctions) {
  CHECK_FUNCTION(from_a_pool_elsewhere, 0.7, 1.1, 1.6, 0.4);
  EXPECT_HOLDS(pool.live == 0);
}
