// What the functions of words.c do to tangents, when a gradient is differentiated.

#include "core/engine/library/word_tangents.h"
#include "core/engine/library/word_bits.h"

void words_moved_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *bits,
                         const Word *target, const Word *source) BODY_OF(assay.tangent.words.moved);
void words_moved_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *bits,
                         const Word *target, const Word *source) {
  move_shadow_tangents(target_tangent, source_tangent, bytes, bits, target, source);
}

void words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target) BODY_OF(assay.tangent.words.cleared);
void words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target) {
  clear_shadow_tangents(target_tangent, bytes, target);
}

static inline void move_adjoint_tangent(Word *target_tangent, Word *source_tangent, uint64_t target) {
  if (!meets_tangent(target_tangent, source_tangent, target))
    return;
  *(Number *)source_tangent += *(const Number *)target_tangent;
  *target_tangent = 0;
}

void words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                 const Word *source) BODY_OF(assay.tangent.words.moved.adjoint);
void words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                 const Word *source) {
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_adjoint_tangent(&target_tangent[i], &source_tangent[i], target[i]);
  else
    for (size_t i = count; i-- > 0;)
      move_adjoint_tangent(&target_tangent[i], &source_tangent[i], target[i]);
}

void words_cleared_adjoint_tangent(Word *target_tangent, size_t bytes, const Word *target)
    BODY_OF(assay.tangent.words.cleared.adjoint);
void words_cleared_adjoint_tangent(Word *target_tangent, size_t bytes, const Word *target) {
  clear_adjoint_tangents(target_tangent, bytes, target);
}

void words_of_constant_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *target,
                               const Word *source) BODY_OF(assay.tangent.words.constant);
void words_of_constant_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *target,
                               const Word *source) {
  (void)target;
  copy_constant_tangents(target_tangent, source_tangent, bytes, source);
}
