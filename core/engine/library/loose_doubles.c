// Adjoints of doubles in memory that is copied by the byte, and what is done to their tangents when a gradient is
// differentiated: the same, whatever the adjoints are.

#include "core/engine/library/loose_words.h"
#include "core/engine/library/word_bits.h"

ALWAYS_INLINE _Bool add_word(Word *target, Word *source) {
  const uint64_t moved = *target;
  *target = 0;
  *(Number *)source += *(const Number *)&moved;
  return 0;
}

ALWAYS_INLINE void add_rest(Word *target, Word *source) {
  (void)target;
  (void)source; // a double is a word
}

LOOSE_MOVES(loose_doubles_moved_adjoint, sizeof(Number), assay.words.moved.adjoint.loose,
            assay.tangent.words.moved.adjoint.loose)
