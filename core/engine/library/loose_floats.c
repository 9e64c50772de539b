// Adjoints of floats in memory that is copied by the byte, and what is done to their tangents when a gradient is
// differentiated: the same, whatever the adjoints are.

#include "core/engine/library/float_word_bits.h"
#include "core/engine/library/loose_words.h"

ALWAYS_INLINE _Bool add_word(Word *target, Word *source) {
  add_floats((Number *)target, (Number *)source, sizeof(Word) / sizeof(Number));
  return 0;
}

ALWAYS_INLINE void add_rest(Word *target, Word *source) {
  add_floats((Number *)target, (Number *)source, 1);
}

LOOSE_MOVES(loose_floats_moved_adjoint, sizeof(Number), assay.words.moved.adjoint.loose.float,
            assay.tangent.words.moved.adjoint.loose.float)
