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

_Bool loose_floats_moved_adjoint(Word *target, Word *source, size_t bytes)
    BODY_OF(assay.words.moved.adjoint.loose.float);
_Bool loose_floats_moved_adjoint(Word *target, Word *source, size_t bytes) {
  return move_loose_words(target, source, bytes, sizeof(Number));
}

_Bool loose_floats_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                         const Word *source) BODY_OF(assay.tangent.words.moved.adjoint.loose.float);
_Bool loose_floats_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                         const Word *source) {
  (void)target;
  (void)source;
  return move_loose_words(target_tangent, source_tangent, bytes, sizeof(Number));
}
