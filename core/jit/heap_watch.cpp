// Only what was allocated under the watch is on its list. All else may come from a library and goes there.

#include "core/jit/heap_watch.hpp"

#include "core/jit/heap_block.hpp"
#include "core/jit/kept_blocks.hpp"
#include "core/jit/mapped_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <malloc.h>
#include <new>
#include <set>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>

namespace assay::jit {

struct HeapWatch::State {
  explicit State(NameOfCode name_of_code) : name_of_code(std::move(name_of_code)) {}

  NameOfCode name_of_code;
  std::unordered_map<void *, HeapBlock> left, freed;
  std::deque<void *> held_back; ///< The freed blocks, oldest first.
  std::size_t bytes_held_back = 0;
  std::size_t bytes_allocated = 0; ///< Of the blocks on the list.
  std::size_t allocations = 0, most_bytes = 0;
  std::vector<std::string> faults, damage;
  MappedMemory mapped;

  std::string described(const HeapBlock &block) const { return jit::described(block, name_of_code); }

  std::string described(const MappedMemory::Piece &piece) const {
    const std::string name = name_of_code ? name_of_code(piece.site) : "";
    return fmt::format("a mapping of {} bytes{}", piece.bytes, name.empty() ? "" : fmt::format(" that {} made", name));
  }

  /// Memory that holds what its block is to hold.
  void note(void *memory, HeapBlock block) {
    if (!memory)
      return;
    block.usable = malloc_usable_size(memory);
    write_canaries(memory, block);
    if (const auto known = left.find(memory); known != left.end())
      bytes_allocated -= known->second.bytes; // A library has freed it.
    bytes_allocated += block.bytes;
    ++allocations;
    most_bytes = std::max(most_bytes, bytes_allocated);
    left.insert_or_assign(memory, block);
  }

  /// False where the block is not on the list.
  bool free(void *memory, Origin released_as) {
    if (const auto twice = freed.find(memory); twice != freed.end()) {
      faults.push_back(fmt::format("{} is freed twice", described(twice->second)));
      return true;
    }
    const auto found = left.find(memory);
    if (found == left.end()) {
      if (std::string overrun = kept_blocks().forget(memory, name_of_code); !overrun.empty())
        damage.push_back(std::move(overrun));
      return false;
    }
    HeapBlock block = found->second;
    left.erase(found);
    bytes_allocated -= block.bytes;
    // A library may have freed the noted block, or changed its size, and returned this one from the same address.
    if (const std::size_t usable = malloc_usable_size(memory); usable != block.usable) {
      block.bytes = std::min(block.bytes, usable);
      block.canaries = 0;
    }
    if (is_overrun(memory, block))
      damage.push_back(jit::overrun(block, name_of_code));
    if (std::string_view(release_of(block.origin)) != release_of(released_as))
      faults.push_back(fmt::format("{} with {} is released with {}", described(block), allocator_of(block.origin),
                                   release_of(released_as)));
    fill_with_poison(memory, block.bytes);
    if (block.bytes > most_held_back / 8) {
      give_back(memory, block);
      return true;
    }
    freed.emplace(memory, block);
    held_back.push_back(memory);
    bytes_held_back += block.bytes;
    while (bytes_held_back > most_held_back)
      release_oldest();
    return true;
  }

  void release_oldest() {
    void *memory = held_back.front();
    held_back.pop_front();
    const auto found = freed.find(memory);
    bytes_held_back -= found->second.bytes;
    const HeapBlock block = found->second;
    freed.erase(found);
    look_at_freed(memory, block, damage);
    give_back(memory, block);
  }

  void look_at_freed(const void *memory, const HeapBlock &block, std::vector<std::string> &sentences) const {
    if (!holds_only(memory, std::min(block.bytes, most_poisoned), poison))
      sentences.push_back(fmt::format("{} on the heap was written after it was freed", described(block)));
  }
};

namespace {

thread_local HeapWatch::State *current = nullptr;

constexpr std::align_val_t no_alignment{0};

std::size_t most_allocated = SIZE_MAX;
void (*on_excess)() = nullptr;

/// So much is to be asked of the C library.
std::size_t room(std::size_t bytes) {
  if (current && bytes > most_allocated - std::min(most_allocated, current->bytes_allocated))
    on_excess();
  return current ? with_canaries(bytes) : bytes;
}

/// The code that called the function in which this stands.
#define ASSAY_CALLER __builtin_return_address(0)

/// `memory` has as much room as `room` says.
void *noted(void *memory, std::size_t bytes, const void *site, Origin origin = Origin::c,
            std::align_val_t alignment = no_alignment) {
  if (!current || !memory)
    return memory;
  fill_with_poison(memory, bytes);
  current->note(memory, {bytes, origin, alignment, with_canaries(bytes) - bytes, site});
  return memory;
}

bool freed_under_watch(void *memory, Origin origin) {
  if (!current)
    kept_blocks().forget(memory, {});
  return !memory || (current && current->free(memory, origin));
}

// --- what code calls ---

void *watched_malloc(std::size_t bytes) {
  return noted(std::malloc(room(bytes)), bytes, ASSAY_CALLER);
}

void *watched_calloc(std::size_t count, std::size_t bytes) {
  std::size_t whole = 0;
  if (!current || __builtin_mul_overflow(count, bytes, &whole))
    return std::calloc(count, bytes);
  void *memory = std::calloc(1, room(whole));
  current->note(memory, {whole, Origin::c, no_alignment, with_canaries(whole) - whole, ASSAY_CALLER});
  return memory;
}

void watched_free(void *memory) {
  if (!freed_under_watch(memory, Origin::c))
    std::free(memory);
}

/// The block always moves: an address into the old one is worth nothing.
void *watched_realloc(void *memory, std::size_t bytes) {
  const void *site = ASSAY_CALLER;
  if (!memory)
    return noted(std::malloc(room(bytes)), bytes, site);
  if (current && current->freed.contains(memory)) {
    watched_free(memory);
    return noted(std::malloc(room(bytes)), bytes, site);
  }
  if (!current || !current->left.contains(memory)) {
    static_cast<void>(freed_under_watch(memory, Origin::c)); // No block of this watch: it stays for `realloc`.
    return std::realloc(memory, bytes);
  }
  void *moved = noted(std::malloc(room(bytes)), bytes, site);
  if (!moved)
    return nullptr;
  std::memcpy(moved, memory, std::min({bytes, current->left.at(memory).bytes, malloc_usable_size(memory)}));
  watched_free(memory);
  return moved;
}

void *watched_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return noted(std::aligned_alloc(alignment, room(bytes)), bytes, ASSAY_CALLER);
}

int watched_posix_memalign(void **memory, std::size_t alignment, std::size_t bytes) {
  const int failure = ::posix_memalign(memory, alignment, room(bytes));
  if (failure == 0)
    noted(*memory, bytes, ASSAY_CALLER);
  return failure;
}

void *watched_mmap(void *wanted, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  void *memory = ::mmap(wanted, bytes, protection, flags, file, offset);
  if (current && memory != MAP_FAILED)
    current->mapped.add(memory, bytes, ASSAY_CALLER);
  return memory;
}

int watched_munmap(void *memory, std::size_t bytes) {
  const int failure = ::munmap(memory, bytes);
  if (current && failure == 0)
    current->mapped.remove(memory, bytes);
  return failure;
}

void *watched_mremap(void *memory, std::size_t bytes, std::size_t wanted, int flags, void *place) {
  void *moved = ::mremap(memory, bytes, wanted, flags, place);
  if (!current || moved == MAP_FAILED)
    return moved;
  current->mapped.remove(memory, bytes);
  current->mapped.add(moved, wanted, ASSAY_CALLER);
  return moved;
}

template <Origin origin>
void *watched_new(std::size_t bytes) {
  return noted(::operator new(room(bytes)), bytes, ASSAY_CALLER, origin);
}
template <Origin origin>
void *watched_new_nothrow(std::size_t bytes, const std::nothrow_t &) {
  return noted(::operator new(room(bytes), std::nothrow), bytes, ASSAY_CALLER, origin);
}
template <Origin origin>
void *watched_aligned_new(std::size_t bytes, std::align_val_t alignment) {
  return noted(::operator new(room(bytes), alignment), bytes, ASSAY_CALLER, origin, alignment);
}

template <Origin origin>
void watched_delete(void *memory) {
  if (!freed_under_watch(memory, origin))
    ::operator delete(memory);
}
template <Origin origin>
void watched_sized_delete(void *memory, std::size_t) {
  watched_delete<origin>(memory);
}
template <Origin origin>
void watched_aligned_delete(void *memory, std::align_val_t alignment) {
  if (!freed_under_watch(memory, origin))
    ::operator delete(memory, alignment);
}
template <Origin origin>
void watched_sized_aligned_delete(void *memory, std::size_t, std::align_val_t alignment) {
  watched_aligned_delete<origin>(memory, alignment);
}

// --- what code calls that no watch sees ---

std::size_t limited(std::size_t bytes) {
  if (bytes > most_allocated)
    on_excess();
  return bytes;
}

void *limited_malloc(std::size_t bytes) {
  return std::malloc(limited(bytes));
}

void *limited_calloc(std::size_t count, std::size_t bytes) {
  std::size_t whole = 0;
  if (!__builtin_mul_overflow(count, bytes, &whole))
    static_cast<void>(limited(whole));
  return std::calloc(count, bytes);
}

void *limited_realloc(void *memory, std::size_t bytes) {
  return std::realloc(memory, limited(bytes));
}

void *limited_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return std::aligned_alloc(alignment, limited(bytes));
}

template <class Function>
std::pair<std::string_view, void *> symbol(std::string_view name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

HeapWatch::HeapWatch(NameOfCode name_of_code)
    : state_(new State(std::move(name_of_code))), outer_(std::exchange(current, state_)) {}

HeapWatch::~HeapWatch() {
  current = outer_;
  while (!state_->held_back.empty())
    state_->release_oldest();
  delete state_;
}

HeapReport HeapWatch::report() const {
  HeapReport report{state_->left.size(), 0, state_->faults, state_->damage, {}, {}, state_->allocations,
                    state_->most_bytes};
  for (const auto &[memory, block] : state_->left)
    report.bytes_left += block.bytes;
  for (const auto &[memory, block] : state_->freed)
    state_->look_at_freed(memory, block, report.damage);
  for (const MappedMemory::Piece &piece : state_->mapped.pieces())
    report.mappings.push_back(state_->described(piece));
  std::set<std::string> left;
  for (const auto &[memory, block] : state_->left)
    left.insert(state_->described(block));
  report.left.assign(left.begin(), left.end());
  return report;
}

std::vector<std::string> HeapWatch::overruns_of_kept(const std::function<std::vector<std::uintptr_t>()> &held) const {
  return kept_blocks().take(state_->left, held, state_->name_of_code);
}

void limit_watched_heap(std::size_t bytes, void (*action)()) {
  most_allocated = bytes;
  on_excess = action;
}

std::vector<std::pair<std::string_view, void *>> limited_heap_symbols() {
  return {symbol("malloc", limited_malloc), symbol("calloc", limited_calloc), symbol("realloc", limited_realloc),
          symbol("aligned_alloc", limited_aligned_alloc)};
}

std::vector<std::pair<std::string_view, void *>> heap_symbols() {
  return {symbol("malloc", watched_malloc),
          symbol("calloc", watched_calloc),
          symbol("realloc", watched_realloc),
          symbol("free", watched_free),
          symbol("aligned_alloc", watched_aligned_alloc),
          symbol("posix_memalign", watched_posix_memalign),
          symbol("mmap", watched_mmap),
          symbol("mmap64", watched_mmap),
          symbol("munmap", watched_munmap),
          symbol("mremap", watched_mremap),
          symbol("_Znwm", watched_new<Origin::plain_new>),
          symbol("_Znam", watched_new<Origin::array_new>),
          symbol("_ZnwmRKSt9nothrow_t", watched_new_nothrow<Origin::plain_new>),
          symbol("_ZnamRKSt9nothrow_t", watched_new_nothrow<Origin::array_new>),
          symbol("_ZnwmSt11align_val_t", watched_aligned_new<Origin::aligned_new>),
          symbol("_ZnamSt11align_val_t", watched_aligned_new<Origin::aligned_array_new>),
          symbol("_ZdlPv", watched_delete<Origin::plain_new>),
          symbol("_ZdaPv", watched_delete<Origin::array_new>),
          symbol("_ZdlPvm", watched_sized_delete<Origin::plain_new>),
          symbol("_ZdaPvm", watched_sized_delete<Origin::array_new>),
          symbol("_ZdlPvSt11align_val_t", watched_aligned_delete<Origin::aligned_new>),
          symbol("_ZdaPvSt11align_val_t", watched_aligned_delete<Origin::aligned_array_new>),
          symbol("_ZdlPvmSt11align_val_t", watched_sized_aligned_delete<Origin::aligned_new>),
          symbol("_ZdaPvmSt11align_val_t", watched_sized_aligned_delete<Origin::aligned_array_new>)};
}

} // namespace assay::jit
