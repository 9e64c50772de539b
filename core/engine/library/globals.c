// Before a derivative starts: the shadows of global variables follow what the program made of the globals since.
//
// A container in a global is built, filled and emptied by code that knows nothing of shadows. From the globals on,
// memory of malloc is found by what its addresses look like: the header of a block stands before it. Each block gets a
// shadow of its size, the one that it has already or a new one of zeros, and in all shadows every word that is an
// address in the primal becomes the same place in the shadow. Numbers of blocks become zero. What is not found is its
// own shadow.

#include "core/engine/library/node.h"
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

long syscall(long number, ...); // not of C17
void *reallocarray(void *block, size_t count, size_t bytes);

typedef uintptr_t __attribute__((may_alias)) Word;

struct Region {
  uintptr_t start, shadow;
  size_t size;
};

enum { page_bytes = 4096, cached_pages = 64, most_regions = 1 << 20 };

struct Search {
  struct Region *regions;
  size_t count, capacity;
  uintptr_t *known; ///< Starts and shadows of the regions, by their hash.
  size_t slots;
  uintptr_t readable[cached_pages];
};

static _Bool looks_like_address(uintptr_t word) {
  return word >= 16 * page_bytes && word >> 47 == 0;
}

/// What looks like an address may lead to a page that is mapped and that nobody may read, as between stacks and behind
/// the heaps of threads. The kernel reads a set of signals before it sees that it is asked for nothing.
static _Bool is_readable(struct Search *search, uintptr_t address) {
  const long nothing = -1, bytes_of_set = 8;
  const uintptr_t page = address / page_bytes;
  uintptr_t *cached = &search->readable[page % cached_pages];
  if (*cached == page)
    return 1;
  if (syscall(SYS_rt_sigprocmask, nothing, page * page_bytes, NULL, bytes_of_set) != 0 && errno == EFAULT)
    return 0;
  *cached = page;
  return 1;
}

static _Bool are_readable(struct Search *search, uintptr_t start, uintptr_t last) {
  for (uintptr_t page = start / page_bytes; page <= last / page_bytes; ++page)
    if (!is_readable(search, page * page_bytes))
      return 0;
  return 1;
}

/// The bytes that can be used of the block of the C library's malloc that begins at `address`, or 0.
static size_t block_size(struct Search *search, uintptr_t address) {
  const size_t header_bytes = sizeof(size_t), flags = 7, is_mapped_alone = 2, previous_is_used = 1;
  const size_t largest = (size_t)1 << 40, smallest = 32, invalid = 8;
  if (!looks_like_address(address) || address % 16 != 0 || !is_readable(search, address - header_bytes))
    return 0;
  const size_t header = *(const Word *)(address - header_bytes), size = header & ~flags;
  if ((header & invalid) != 0 || size < smallest || size >= largest)
    return 0;
  const uintptr_t next = address + size - header_bytes;
  if ((header & is_mapped_alone) != 0)
    return address % page_bytes == 16 && size % page_bytes == 0 && are_readable(search, address, next - 16) ? size - 16
                                                                                                            : 0;
  if (!is_readable(search, next) || (*(const Word *)next & previous_is_used) == 0 ||
      (*(const Word *)next & invalid) != 0 || !are_readable(search, address, next))
    return 0;
  return size - header_bytes;
}

static uintptr_t *slot_of(uintptr_t *known, size_t slots, uintptr_t address) {
  size_t at = (address >> 4) * 0x9E3779B97F4A7C15u >> 20;
  while (known[at % slots] != 0 && known[at % slots] != address)
    ++at;
  return &known[at % slots];
}

static _Bool is_known(const struct Search *search, uintptr_t address) {
  return *slot_of(search->known, search->slots, address) == address;
}

static _Bool grow(struct Search *search) {
  const size_t slots = search->slots * 2 + 256;
  uintptr_t *known = calloc(slots, sizeof(uintptr_t));
  struct Region *regions = realloc(search->regions, slots / 4 * sizeof(struct Region));
  if (regions)
    search->regions = regions;
  if (!known || !regions) {
    free(known);
    return 0;
  }
  for (size_t i = 0; i < search->slots; ++i)
    if (search->known[i])
      *slot_of(known, slots, search->known[i]) = search->known[i];
  free(search->known);
  search->known = known;
  search->slots = slots;
  search->capacity = slots / 4;
  return 1;
}

static _Bool add(struct Search *search, uintptr_t start, uintptr_t shadow, size_t size) {
  if (search->count == search->capacity && (search->count >= most_regions || !grow(search)))
    return 0;
  search->regions[search->count++] = (struct Region){start, shadow, size};
  *slot_of(search->known, search->slots, start) = start;
  *slot_of(search->known, search->slots, shadow) = shadow;
  return 1;
}

static const uintptr_t mark = 0x5ead0f1e5a1c0de5, room_for_mark = 16;

/// Where the mark of a shadow of `size` bytes is that was made here: before the last word, which malloc uses of a free
/// block.
static Word *mark_of(uintptr_t shadow, size_t size) {
  return (Word *)(shadow + size - room_for_mark);
}

/// The program's own code releases it as it does the block: with free, delete or delete[]. So none of the functions
/// that these belong to has made it for those who watch that they fit.
static uintptr_t new_shadow(struct Search *search, size_t block) {
  void *memory = reallocarray(NULL, 1, block + room_for_mark);
  if (!memory)
    return 0;
  const uintptr_t shadow = (uintptr_t)memory;
  memset(memory, 0, block + room_for_mark);
  const size_t size = block_size(search, shadow);
  if (size >= block + room_for_mark)
    *mark_of(shadow, size) = shadow ^ mark;
  return shadow;
}

/// A derivative that allocates a block allocates its shadow alike; malloc may have had a little more room for one of
/// them. It has no address where the block has none, unlike other memory that some word happens to lead to.
static _Bool is_alike(uintptr_t shadow, size_t size, struct Region block) {
  const size_t step_of_sizes = 16;
  if (size < block.size || size > block.size + step_of_sizes)
    return 0;
  for (size_t offset = 0; offset + sizeof(Word) <= block.size; offset += sizeof(Word))
    if (looks_like_address(*(const Word *)(shadow + offset)) &&
        !looks_like_address(*(const Word *)(block.start + offset)))
      return 0;
  return 1;
}

static _Bool is_shadow_of(uintptr_t shadow, size_t size, struct Region block) {
  if (size >= block.size + room_for_mark && *mark_of(shadow, size) == (shadow ^ mark))
    return 1;
  return is_alike(shadow, size, block);
}

/// What the shadow points to now, where that can be the shadow of the block, or a new one.
static uintptr_t shadow_of_block(struct Search *search, uintptr_t now, struct Region block) {
  if (now != 0 && now != block.start && is_shadow_of(now, block_size(search, now), block) && !is_known(search, now))
    return now;
  return new_shadow(search, block.size);
}

static void find_blocks(struct Search *search, struct Region region) {
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    const size_t size = block_size(search, address);
    if (size == 0 || is_known(search, address))
      continue;
    const uintptr_t now = *(const Word *)(region.shadow + offset);
    const uintptr_t shadow = shadow_of_block(search, now, (struct Region){address, 0, size});
    if (shadow == 0 || !add(search, address, shadow, size))
      return;
  }
}

static int by_start(const void *one, const void *other) {
  const uintptr_t first = ((const struct Region *)one)->start, second = ((const struct Region *)other)->start;
  return (first > second) - (first < second);
}

/// The region that `address` is in or at the end of.
static const struct Region *region_of(const struct Search *search, uintptr_t address) {
  size_t low = 0, high = search->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (search->regions[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return NULL;
  const struct Region *region = &search->regions[low - 1];
  return address - region->start <= region->size ? region : NULL;
}

/// What an earlier derivative left in the shadow of a block. Numbers in shadows of globals are cleared by their type.
static void clear_numbers(struct Region block) {
  for (size_t offset = 0; offset + sizeof(Word) <= block.size; offset += sizeof(Word))
    if (!looks_like_address(*(const Word *)(block.start + offset)))
      *(Word *)(block.shadow + offset) = 0;
}

static void follow_pointers(struct Search *search, struct Region region) {
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    Word *shadow = (Word *)(region.shadow + offset);
    const struct Region *behind = looks_like_address(address) ? region_of(search, address) : NULL;
    if (behind)
      *shadow = behind->shadow + (address - behind->start);
    else if (*shadow == 0 && looks_like_address(address) && is_readable(search, address))
      *shadow = address;
    else if (address == 0 && looks_like_address(*shadow))
      *shadow = 0;
  }
}

extern void __asan_init(void) __attribute__((weak)); // its malloc has other headers

void follow_globals(const struct Region *globals, size_t count) BODY_OF(assay.globals.follow);
void follow_globals(const struct Region *globals, size_t count) {
  struct Search search = {0};
  const int error_of_program = errno;
  for (size_t i = 0; i < count; ++i)
    if (!add(&search, globals[i].start, globals[i].shadow, globals[i].size))
      break;
  for (size_t i = 0; i < search.count && !__asan_init; ++i)
    find_blocks(&search, search.regions[i]);
  for (size_t i = count; i < search.count; ++i)
    clear_numbers(search.regions[i]);
  qsort(search.regions, search.count, sizeof(struct Region), by_start);
  for (size_t i = 0; i < search.count; ++i)
    follow_pointers(&search, search.regions[i]);
  free(search.regions);
  free(search.known);
  errno = error_of_program;
}
