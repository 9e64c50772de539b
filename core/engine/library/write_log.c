// What a function changes in memory that is not its own: the bytes as they were before, from the first change to the
// last, so that they can be put back, and be put back again.
//
// Its own is what it allocates, and what lies below `frame` on the stack, where the frames of its calls are.

#include "core/engine/library/node.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char *entries; ///< Each is the bytes, and then where they belong.
  size_t used, size;
  const char *frame;
  struct Block *allocated;
} Log;

typedef struct {
  char *address;
  size_t bytes;
} Place;

struct Block {
  struct Block *next;
  const char *start;
  size_t bytes;
};

static void *checked(void *memory) {
  if (!memory) // out of memory: there is no way to go on
    __builtin_trap();
  return memory;
}

void log_begin(Log *log, const void *frame) BODY_OF(assay.writes.begin);
void log_begin(Log *log, const void *frame) {
  *log = (Log){.frame = frame};
}

/// Below the frame, and above where this function stands.
static _Bool is_own(const Log *log, const char *address) {
  if (address < log->frame && address >= (const char *)__builtin_frame_address(0))
    return 1;
  for (const struct Block *block = log->allocated; block; block = block->next)
    if (address >= block->start && address < block->start + block->bytes)
      return 1;
  return 0;
}

__attribute__((noinline)) void log_write(Log *log, void *address, size_t bytes) BODY_OF(assay.writes.note);
void log_write(Log *log, void *address, size_t bytes) {
  if (bytes == 0 || is_own(log, address))
    return;
  const Place place = {address, bytes};
  const size_t needed = bytes + sizeof place;
  if (log->size - log->used < needed) {
    char *before = log->entries;
    log->size = 2 * log->size + needed;
    log->entries = checked(malloc(log->size)); // A device has no realloc.
    if (before)
      memcpy(log->entries, before, log->used);
    free(before);
  }
  memcpy(log->entries + log->used, address, bytes);
  memcpy(log->entries + log->used + bytes, &place, sizeof place);
  log->used += needed;
}

__attribute__((noinline)) void log_allocation(Log *log, void *start, size_t bytes) BODY_OF(assay.writes.allocated);
void log_allocation(Log *log, void *start, size_t bytes) {
  struct Block *block = checked(malloc(sizeof *block));
  *block = (struct Block){log->allocated, start, bytes};
  log->allocated = block;
}

/// Memory that was there before cannot be put back.
__attribute__((noinline)) void log_release(const Log *log, const char *start) BODY_OF(assay.writes.released);
void log_release(const Log *log, const char *start) {
  static const char message[] = "assay: a function with a registered forward derivative releases memory of its "
                                "arguments, which is possible at width 1 only\n";
  if (!start)
    return;
  for (const struct Block *block = log->allocated; block; block = block->next)
    if (block->start == start)
      return;
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
  abort();
}

__attribute__((noinline)) void log_undo(Log *log) BODY_OF(assay.writes.undo);
void log_undo(Log *log) {
  for (size_t end = log->used; end > 0;) {
    Place place;
    memcpy(&place, log->entries + end - sizeof place, sizeof place);
    end -= sizeof place + place.bytes;
    memcpy(place.address, log->entries + end, place.bytes);
  }
}

__attribute__((noinline)) void log_end(Log *log) BODY_OF(assay.writes.end);
void log_end(Log *log) {
  free(log->entries);
  while (log->allocated) {
    struct Block *block = log->allocated;
    log->allocated = block->next;
    free(block);
  }
}
