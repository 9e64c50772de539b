// Adjoints of doubles or floats in memory that is copied by the byte, and what is done to their tangents when a
// gradient is differentiated: the same, whatever the adjoints are.

#include "core/engine/library/float_word_bits.h"
#include "core/engine/library/loose_words.h"

ALWAYS_INLINE _Bool add_word(Word *target, Word *source) {
  return !adds_lone_floats(target, source);
}

ALWAYS_INLINE void add_rest(Word *target, Word *source) {
  (void)target;
  (void)source; // where the length is no multiple of a word, nothing is added
}

LOOSE_MOVES(loose_numbers_moved_adjoint, sizeof(Word), assay.words.moved.adjoint.loose.unclear,
            assay.tangent.words.moved.adjoint.loose.unclear)
