// Before a derivative starts: the shadows of global variables follow what the program made of the globals since.
//
// A container in a global is built, filled and emptied by code that knows nothing of shadows. From the globals on,
// memory of malloc is found by what its addresses look like: the header of a block stands before it. Each block gets a
// shadow of its size, the one that it has already or a new one of zeros, and in all shadows every word that is an
// address in the primal becomes the same place in the shadow. Numbers of blocks become zero. What is not found is its
// own shadow.

#include "core/engine/library/live_shadows.h"
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
  AddressSet known; ///< Starts and shadows of the regions.
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

static _Bool make_room(struct Search *search) {
  if (search->count < search->capacity)
    return 1;
  const size_t capacity = search->capacity * 2 + 64;
  struct Region *regions =
      search->count < most_regions ? reallocarray(search->regions, capacity, sizeof(struct Region)) : NULL;
  if (!regions)
    return 0;
  search->regions = regions;
  search->capacity = capacity;
  return 1;
}

static _Bool add(struct Search *search, uintptr_t start, uintptr_t shadow, size_t size) {
  if (!make_room(search) || !insert(&search->known, start) || !insert(&search->known, shadow))
    return 0;
  search->regions[search->count++] = (struct Region){start, shadow, size};
  return 1;
}

/// The program's own code releases it as it does the block: with free, delete or delete[]. So none of the functions
/// that these belong to has made it for those who watch that they fit.
static uintptr_t new_shadow(size_t size) {
  void *memory = reallocarray(NULL, 1, size);
  if (!memory)
    return 0;
  memset(memory, 0, size);
  note_live_shadow((uintptr_t)memory);
  return (uintptr_t)memory;
}

static _Bool is_live_shadow(uintptr_t address) {
  take_live_shadows();
  const _Bool found = contains(&live_shadows.set, address);
  leave_live_shadows();
  return found;
}

/// What the shadow points to now, where that can be the shadow of the block, or a new one.
static uintptr_t shadow_of_block(struct Search *search, uintptr_t now, struct Region block) {
  const _Bool is_shadow = looks_like_address(now) && is_live_shadow(now) && block_size(search, now) >= block.size;
  return is_shadow && !contains(&search->known, now) ? now : new_shadow(block.size);
}

static void find_blocks(struct Search *search, struct Region region) {
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    const size_t size = block_size(search, address);
    if (size == 0 || contains(&search->known, address))
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
  free(search.known.slots);
  errno = error_of_program;
}
