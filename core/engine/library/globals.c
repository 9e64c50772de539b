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
void *sbrk(intptr_t bytes);
void *reallocarray(void *block, size_t count, size_t bytes);

typedef uintptr_t __attribute__((may_alias)) Word;

/// A row of the table that the compiler writes (lowering/follow_globals.cpp).
struct Global {
  uintptr_t start, shadow;
  size_t size;
};

struct Region {
  uintptr_t start, shadow;
  size_t size;
  _Bool has_addresses; ///< Perhaps.
};

enum { page_bytes = 4096, cached_pages = 64, most_regions = 1 << 20 };

struct Page {
  uintptr_t number;
  _Bool is_readable;
};

struct Search {
  struct Region *regions;
  size_t count, capacity;
  uintptr_t lowest;                ///< No memory that the program allocates lies below.
  AddressSet known;                ///< Starts and shadows of the regions.
  struct Page pages[cached_pages]; ///< By their numbers; none is page 0.
};

/// Two small integers side by side look like an address far below all that a program of a variable place allocates: its
/// heap is above its globals, and what is mapped is above those or the library.
static uintptr_t lowest_address(const struct Global *globals, size_t count) {
  const uintptr_t heap = (uintptr_t)sbrk(0), library = (uintptr_t)&malloc, largest_heap = (uintptr_t)1 << 40;
  uintptr_t lowest = heap < library ? heap : library;
  for (size_t i = 0; i < count; ++i)
    if (globals[i].start < lowest)
      lowest = globals[i].start;
  return lowest < largest_heap + 16 * page_bytes ? 16 * page_bytes : lowest - largest_heap;
}

static inline _Bool looks_like_address(const struct Search *search, uintptr_t word) {
  return word >= search->lowest && word >> 47 == 0;
}

/// What looks like an address may lead to a page that is mapped and that nobody may read, as between stacks and behind
/// the heaps of threads. The kernel reads a set of signals before it sees that it is asked for nothing.
static _Bool is_readable(struct Search *search, uintptr_t address) {
  const long nothing = -1, bytes_of_set = 8;
  const uintptr_t page = address / page_bytes;
  struct Page *cached = &search->pages[page % cached_pages];
  if (cached->number != page)
    *cached = (struct Page){page, syscall(SYS_rt_sigprocmask, nothing, page * page_bytes, NULL, bytes_of_set) == 0 ||
                                      errno != EFAULT};
  return cached->is_readable;
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
  if (!looks_like_address(search, address) || address % 16 != 0 || !is_readable(search, address - header_bytes))
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
  search->regions[search->count++] = (struct Region){start, shadow, size, 1};
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
  const _Bool is_shadow =
      looks_like_address(search, now) && is_live_shadow(now) && block_size(search, now) >= block.size;
  return is_shadow && !contains(&search->known, now) ? now : new_shadow(block.size);
}

static void find_block(struct Search *search, uintptr_t address, uintptr_t now) {
  const size_t size = block_size(search, address);
  if (size == 0 || contains(&search->known, address))
    return;
  const uintptr_t shadow = shadow_of_block(search, now, (struct Region){.start = address, .size = size});
  if (shadow != 0)
    add(search, address, shadow, size);
}

/// False where no word of the region looks like an address.
static _Bool find_blocks(struct Search *search, struct Region region) {
  _Bool any = 0;
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    if (!looks_like_address(search, address))
      continue;
    any = 1;
    find_block(search, address, *(const Word *)(region.shadow + offset));
  }
  return any;
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
static void clear_numbers(const struct Search *search, struct Region block) {
  if (!block.has_addresses) {
    memset((void *)block.shadow, 0, block.size);
    return;
  }
  for (size_t offset = 0; offset + sizeof(Word) <= block.size; offset += sizeof(Word))
    if (!looks_like_address(search, *(const Word *)(block.start + offset)))
      *(Word *)(block.shadow + offset) = 0;
}

static void follow_pointers(struct Search *search, struct Region region) {
  for (size_t offset = 0; offset + sizeof(Word) <= region.size; offset += sizeof(Word)) {
    const uintptr_t address = *(const Word *)(region.start + offset);
    Word *shadow = (Word *)(region.shadow + offset);
    const struct Region *behind = looks_like_address(search, address) ? region_of(search, address) : NULL;
    if (behind)
      *shadow = behind->shadow + (address - behind->start);
    else if (*shadow == 0 && looks_like_address(search, address) && is_readable(search, address))
      *shadow = address;
    else if (address == 0 && looks_like_address(search, *shadow))
      *shadow = 0;
  }
}

extern void __asan_init(void) __attribute__((weak)); // its malloc has other headers

void follow_globals(const struct Global *globals, size_t count) BODY_OF(assay.globals.follow);
void follow_globals(const struct Global *globals, size_t count) {
  struct Search search = {.lowest = lowest_address(globals, count)};
  const int error_of_program = errno;
  for (size_t i = 0; i < count; ++i)
    if (!add(&search, globals[i].start, globals[i].shadow, globals[i].size))
      break;
  for (size_t i = 0; i < search.count && !__asan_init; ++i) {
    const _Bool any = find_blocks(&search, search.regions[i]);
    search.regions[i].has_addresses = any || i < count; // a shadow of the globals may have one that is none any more
  }
  for (size_t i = count; i < search.count; ++i)
    clear_numbers(&search, search.regions[i]);
  qsort(search.regions, search.count, sizeof(struct Region), by_start);
  for (size_t i = 0; i < search.count; ++i)
    if (search.regions[i].has_addresses)
      follow_pointers(&search, search.regions[i]);
  free(search.regions);
  free(search.known.slots);
  errno = error_of_program;
}
