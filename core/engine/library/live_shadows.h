#pragma once
// The blocks of the heap that are shadows and have not been released. What a word in a shadow leads to is a shadow only
// if it is one of these: the word may be left over from a block that is someone else's by now.
//
// One table for all files of the program, since each has its own copy of the functions.

#include "core/engine/library/address_set.h"
#include "core/engine/library/node.h"

typedef struct {
  AddressSet set;
  _Bool is_taken; ///< By a thread that reads or changes it.
} LiveShadows;

extern LiveShadows live_shadows BODY_OF(assay.globals.shadows);
LiveShadows live_shadows __attribute__((weak, visibility("hidden")));

static void take_live_shadows(void) {
  while (__atomic_test_and_set(&live_shadows.is_taken, __ATOMIC_ACQUIRE))
    ;
}

static void leave_live_shadows(void) {
  __atomic_clear(&live_shadows.is_taken, __ATOMIC_RELEASE);
}

static void note_live_shadow(uintptr_t shadow) {
  take_live_shadows();
  insert(&live_shadows.set, shadow);
  leave_live_shadows();
}
