// What becomes of blocks of shadows in the derivatives of a program whose globals keep pointers: such a block counts as
// one until it is released.

#include "core/engine/library/live_shadows.h"

void note_shadow(const void *shadow) BODY_OF(assay.globals.note);
void note_shadow(const void *shadow) {
  if (shadow)
    note_live_shadow((uintptr_t)shadow);
}

/// The slot becomes free; what stands behind it, up to a free slot, moves to where it is found.
static void erase(AddressSet *set, size_t slot) {
  set->slots[slot] = 0;
  --set->count;
  for (size_t next = next_slot(set, slot); set->slots[next] != 0; next = next_slot(set, next)) {
    const uintptr_t moved = set->slots[next];
    set->slots[next] = 0;
    set->slots[slot_of(set, moved)] = moved;
  }
}

void forget_shadow(const void *memory) BODY_OF(assay.globals.forget);
void forget_shadow(const void *memory) {
  if (!memory)
    return;
  take_live_shadows();
  if (contains(&live_shadows.set, (uintptr_t)memory))
    erase(&live_shadows.set, slot_of(&live_shadows.set, (uintptr_t)memory));
  leave_live_shadows();
}
