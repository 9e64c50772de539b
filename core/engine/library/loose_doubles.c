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

_Bool loose_doubles_moved_adjoint(Word *target, Word *source, size_t bytes) BODY_OF(assay.words.moved.adjoint.loose);
_Bool loose_doubles_moved_adjoint(Word *target, Word *source, size_t bytes) {
  return move_loose_words(target, source, bytes, sizeof(Number));
}

_Bool loose_doubles_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                          const Word *source) BODY_OF(assay.tangent.words.moved.adjoint.loose);
_Bool loose_doubles_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                          const Word *source) {
  (void)target;
  (void)source;
  return move_loose_words(target_tangent, source_tangent, bytes, sizeof(Number));
}
