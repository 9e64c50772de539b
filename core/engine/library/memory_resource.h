#pragma once
// Memory resources of std::pmr, of which a program sees only the declarations: what they hand out holds numbers of the
// program, and the shadow of a resource must hand out shadows. The resources of this folder stand for those of
// libstdc++ in derivatives; their layouts are those of its header, as far as inline functions there use them. A block
// is an allocation of its own where nobody can see that, so that the engine knows what is in it.

#include "core/engine/library/node.h"
#include <stddef.h>

/// Of each call: what is allocated at one place of the program is of one kind.
#define INLINE __attribute__((always_inline))

typedef struct {
  void *const *functions;
} Resource;

/// A virtual table: offset, type, two destructors, and what allocates, deallocates and compares.
typedef struct {
  const void *entries[7];
} Table;

static inline void *const *functions_of(const Table *table) {
  return (void *const *)&table->entries[2];
}

void *operator_new(size_t bytes, size_t alignment) BODY_OF(_ZnwmSt11align_val_t);
void operator_delete(void *memory, size_t bytes, size_t alignment) BODY_OF(_ZdlPvmSt11align_val_t);
void delete_object(void *object, size_t bytes) BODY_OF(_ZdlPvm);
Resource *default_resource(void) BODY_OF(_ZNSt3pmr19new_delete_resourceEv);

/// Behind a virtual table's address point: two destructors, and these.
enum { slot_of_allocate = 2, slot_of_deallocate = 3 };

static inline void *take_from(Resource *upstream, size_t bytes, size_t alignment) {
  typedef void *Allocate(Resource *, size_t, size_t);
  return ((Allocate *)upstream->functions[slot_of_allocate])(upstream, bytes, alignment);
}
static inline void give_to(Resource *upstream, void *memory, size_t bytes, size_t alignment) {
  typedef void Deallocate(Resource *, void *, size_t, size_t);
  ((Deallocate *)upstream->functions[slot_of_deallocate])(upstream, memory, bytes, alignment);
}

static inline size_t round_up(size_t bytes, size_t alignment) {
  return (bytes + (alignment - 1)) & ~(alignment - 1);
}
static inline size_t at_least_usual(size_t alignment) {
  return alignment < 16 ? 16 : alignment;
}
