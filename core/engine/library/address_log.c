// A log of the addresses that the forward sweep overwrites in shadow memory, and a position in it. The reverse sweep
// moves back to the position of a rule's augmented primal before it calls the rule's reverse, and to the end at last.
//
// The log is the first entry of a gradient's list of deferred frees (emit/deferred_frees.hpp).

#include "core/engine/library/node.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void **place;
  void *content;       ///< The old address, or, once the change is undone, the new one.
  _Bool holds_numbers; ///< At other times.
  _Bool is_left_out;   ///< An adjoint stood there when the change was to be undone.
} Change;

typedef struct {
  Change *changes;
  size_t capacity, count;
  size_t shown; ///< So many changes, from the first on, are to be seen in memory.
} Log;

typedef struct {
  void *memory;
  void (*release)(void *memory, long other);
  long other;
} Entry;

typedef struct {
  Entry *entries;
  size_t bytes, used; ///< In bytes, both.
} List;

static void *checked(void *memory) {
  if (!memory) // out of memory: there is no way to go on
    __builtin_trap();
  return memory;
}

static void release_log(void *memory, long other) {
  (void)other;
  Log *log = memory;
  free(log->changes);
  free(log);
}

__attribute__((noinline)) List *begin(List *list) BODY_OF(assay.primal.list.addresses.begin);
List *begin(List *list) {
  if (list->used != 0)
    return list;
  if (list->bytes < sizeof(Entry)) {
    list->bytes = 64 * sizeof(Entry);
    list->entries = checked(realloc(list->entries, list->bytes));
  }
  list->entries[0] = (Entry){checked(calloc(1, sizeof(Log))), release_log, 0};
  list->used = sizeof(Entry);
  return list;
}

static inline Log *log_of(const List *list) {
  return list->entries[0].memory;
}

/// Where numbers stand at other times, an adjoint may have come to stand there, which is to stay.
static inline _Bool may_be_address(const void *content) {
  const uintptr_t bits = (uintptr_t)content, first = 4096, end = (uintptr_t)1 << 47;
  return bits == 0 || (bits >= first && bits < end);
}

static inline void exchange(Change *change) {
  void *now;
  memcpy(&now, change->place, sizeof now);
  if (change->is_left_out || (change->holds_numbers && !may_be_address(now))) {
    change->is_left_out = !change->is_left_out;
    return;
  }
  memcpy(change->place, &change->content, sizeof now);
  change->content = now;
}

static inline void show(Log *log, size_t count) {
  while (log->shown > count)
    exchange(&log->changes[--log->shown]);
  while (log->shown < count)
    exchange(&log->changes[log->shown++]);
}

/// `bytes` from `place` on are about to be changed; nothing where that is null. `holds_numbers`: at other times.
__attribute__((noinline)) void note(const List *list, char *place, size_t bytes, _Bool holds_numbers)
    BODY_OF(assay.primal.list.addresses.note);
void note(const List *list, char *place, size_t bytes, _Bool holds_numbers) {
  if (!place)
    return;
  Log *log = log_of(list);
  show(log, log->count);
  for (; bytes >= sizeof(void *); bytes -= sizeof(void *), place += sizeof(void *)) {
    if (log->count == log->capacity) {
      log->capacity = log->capacity ? 2 * log->capacity : 64;
      log->changes = checked(realloc(log->changes, log->capacity * sizeof(Change)));
    }
    Change *change = &log->changes[log->count++];
    *change = (Change){.place = (void **)place, .holds_numbers = holds_numbers};
    memcpy(&change->content, place, sizeof(void *));
  }
  log->shown = log->count;
}

/// How many changes were made so far.
__attribute__((noinline)) size_t position(const List *list) BODY_OF(assay.primal.list.addresses.position);
size_t position(const List *list) {
  return log_of(list)->count;
}

/// Memory is as it was at that position.
__attribute__((noinline)) void seek(const List *list, size_t position) BODY_OF(assay.primal.list.addresses.seek);
void seek(const List *list, size_t position) {
  show(log_of(list), position);
}

/// Memory is as the forward sweep left it.
__attribute__((noinline)) void finish(const List *list) BODY_OF(assay.primal.list.addresses.finish);
void finish(const List *list) {
  Log *log = log_of(list);
  show(log, log->count);
}
