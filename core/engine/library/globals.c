// Before a derivative starts: the shadows of global variables follow what the program made of the globals since.
//
// A container in a global is built, filled and emptied by code that knows nothing of shadows. From the globals on,
// memory of malloc is found by what its addresses look like: the header of a block stands before it. Each block gets a
// shadow of its size, the one that it has already or a new one of zeros, and in all shadows every word that is an
// address in the primal becomes the same place in the shadow. Numbers of blocks become zero. What is not found is its
// own shadow.

#include "core/engine/library/node.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int mincore(void *start, size_t bytes, unsigned char *resident); // not of C17

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
  uintptr_t mapped[cached_pages];
};

static _Bool looks_like_address(uintptr_t word) {
  return word >= 16 * page_bytes && word >> 47 == 0;
}

static _Bool is_mapped(struct Search *search, uintptr_t address) {
  const uintptr_t page = address / page_bytes;
  uintptr_t *cached = &search->mapped[page % cached_pages];
  unsigned char resident;
  if (*cached == page)
    return 1;
  if (mincore((void *)(page * page_bytes), page_bytes, &resident) != 0)
    return 0;
  *cached = page;
  return 1;
}

/// The bytes that can be used of the block of the C library's malloc that begins at `address`, or 0.
static size_t block_size(struct Search *search, uintptr_t address) {
  const size_t header_bytes = sizeof(size_t), flags = 7, is_mapped_alone = 2, previous_is_used = 1;
  const size_t largest = (size_t)1 << 40, smallest = 32, invalid = 8;
  if (!looks_like_address(address) || address % 16 != 0 || !is_mapped(search, address - header_bytes))
    return 0;
  const size_t header = *(const Word *)(address - header_bytes), size = header & ~flags;
  if ((header & invalid) != 0 || size < smallest || size >= largest)
    return 0;
  if ((header & is_mapped_alone) != 0)
    return address % page_bytes == 16 && size % page_bytes == 0 ? size - 16 : 0;
  const uintptr_t next = address + size - header_bytes;
  if (!is_mapped(search, next) || (*(const Word *)next & previous_is_used) == 0 || (*(const Word *)next & invalid) != 0)
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

/// What the shadow points to now, where that can be the shadow of a block of `size` bytes, or a new one.
static uintptr_t shadow_of_block(struct Search *search, uintptr_t now, size_t size) {
  if (now != 0 && block_size(search, now) == size && !is_known(search, now))
    return now;
  return (uintptr_t)calloc(1, size);
}

static void find_blocks(struct Search *search, struct Region region) {
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    const size_t size = block_size(search, address);
    if (size == 0 || is_known(search, address))
      continue;
    const uintptr_t now = *(const Word *)(region.shadow + offset);
    const uintptr_t shadow = now == address ? (uintptr_t)calloc(1, size) : shadow_of_block(search, now, size);
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
    else if (*shadow == 0 && looks_like_address(address) && is_mapped(search, address))
      *shadow = address;
    else if (address == 0 && looks_like_address(*shadow))
      *shadow = 0;
  }
}

extern void __asan_init(void) __attribute__((weak)); // its malloc has other headers

void follow_globals(const struct Region *globals, size_t count) BODY_OF(assay.globals.follow);
void follow_globals(const struct Region *globals, size_t count) {
  struct Search search = {0};
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
}
