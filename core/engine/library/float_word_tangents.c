// What the functions of float_words.c do to tangents, when a gradient is differentiated.

#include "core/engine/library/float_word_bits.h"
#include "core/engine/library/word_tangents.h"

void float_words_moved_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *bits,
                               const Word *target, const Word *source) BODY_OF(assay.tangent.words.moved.float);
void float_words_moved_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *bits,
                               const Word *target, const Word *source) {
  move_shadow_tangents(target_tangent, source_tangent, bytes, bits, target, source);
}

void float_words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target)
    BODY_OF(assay.tangent.words.cleared.float);
void float_words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target) {
  clear_shadow_tangents(target_tangent, bytes, target);
}

void extended_words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target)
    BODY_OF(assay.tangent.words.cleared.extended);
void extended_words_cleared_tangent(Word *target_tangent, size_t bytes, const Word *target) {
  for (size_t i = 0; i + 1 < bytes / sizeof(Word); i += 2)
    if (target[i] >> 63 == 0 && target_tangent[i] >> 63 == 0)
      target_tangent[i] = target_tangent[i + 1] = 0;
}

static inline void move_floats_tangent(Word *target_tangent, Word *source_tangent, uint64_t target) {
  if (meets_tangent(target_tangent, source_tangent, target))
    add_floats((Number *)target_tangent, (Number *)source_tangent, 2);
}

void float_words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                       const Word *source) BODY_OF(assay.tangent.words.moved.adjoint.float);
void float_words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                       const Word *source) {
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_floats_tangent(&target_tangent[i], &source_tangent[i], target[i]);
  move_rest(target_tangent, source_tangent, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      move_floats_tangent(&target_tangent[i], &source_tangent[i], target[i]);
}

static inline void move_single_tangent(Word *target_tangent, Word *source_tangent, uint64_t target) {
  if (meets_tangent(target_tangent, source_tangent, target))
    add_single(target_tangent, source_tangent);
}

void single_words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                        const Word *source) BODY_OF(assay.tangent.words.moved.adjoint.single);
void single_words_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,
                                        const Word *source) {
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_single_tangent(&target_tangent[i], &source_tangent[i], target[i]);
  move_rest(target_tangent, source_tangent, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      move_single_tangent(&target_tangent[i], &source_tangent[i], target[i]);
}

static inline _Bool cannot_move_tangent(Word *target_tangent, Word *source_tangent, uint64_t target) {
  return meets_tangent(target_tangent, source_tangent, target) && !adds_lone_floats(target_tangent, source_tangent);
}

_Bool ambiguous_fp_copy_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes,
                                              const Word *target, const Word *source)
    BODY_OF(assay.tangent.words.moved.adjoint.unclear);
_Bool ambiguous_fp_copy_moved_adjoint_tangent(Word *target_tangent, Word *source_tangent, size_t bytes,
                                              const Word *target, const Word *source) {
  const size_t count = bytes / sizeof(Word);
  _Bool is_unclear = 0;
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      is_unclear |= cannot_move_tangent(&target_tangent[i], &source_tangent[i], target[i]);
  move_rest(target_tangent, source_tangent, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      is_unclear |= cannot_move_tangent(&target_tangent[i], &source_tangent[i], target[i]);
  return is_unclear;
}

void float_words_cleared_adjoint_tangent(Word *target_tangent, size_t bytes, const Word *target)
    BODY_OF(assay.tangent.words.cleared.adjoint.float);
void float_words_cleared_adjoint_tangent(Word *target_tangent, size_t bytes, const Word *target) {
  clear_adjoint_tangents(target_tangent, bytes, target);
  clear_rest(target_tangent, bytes);
}

void float_words_of_constant_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *target,
                                     const Word *source) BODY_OF(assay.tangent.words.constant.float);
void float_words_of_constant_tangent(Word *target_tangent, const Word *source_tangent, size_t bytes, const Word *target,
                                     const Word *source) {
  (void)target;
  clear_rest(target_tangent, bytes);
  copy_constant_tangents(target_tangent, source_tangent, bytes, source);
}
