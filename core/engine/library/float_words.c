// As words.c, for programs that compute with floats as well: a word is an address, an integer, a double or two floats.
// Whether a number is a double or two floats the bits do not tell: where that matters and the program's text does not
// tell it either, the caller is told.

#include "core/engine/library/float_word_bits.h"
#include "core/engine/library/word_loops.h"

/// As in words.c; a shadow that is no address is one of a number, whatever the primal looks like.
static inline void move_shadow(uint64_t bits, Word *target, uint64_t source) {
  if (moves_address(bits, source))
    *target = source;
  else if (is_address_or_integer(*target))
    *target = 0;
}

void float_words_moved(Word *target, const Word *source, size_t bytes, const Word *bits)
    BODY_OF(assay.words.moved.float);
void float_words_moved(Word *target, const Word *source, size_t bytes, const Word *bits) {
  move_shadow_of_rest(target, source, bytes, bits);
  move_shadows(target, source, bits, bytes);
}

void float_words_cleared(Word *target, size_t bytes) BODY_OF(assay.words.cleared.float);
void float_words_cleared(Word *target, size_t bytes) {
  clear_shadows(target, bytes);
}

/// A long double's bits are a word with its highest bit set, unless it is zero, and the exponent above.
static inline _Bool is_extended_number(uint64_t mantissa) {
  return mantissa >> 63 != 0;
}

void extended_words_cleared(Word *target, size_t bytes) BODY_OF(assay.words.cleared.extended);
void extended_words_cleared(Word *target, size_t bytes) {
  for (size_t i = 0; i + 1 < bytes / sizeof(Word); i += 2)
    if (!is_extended_number(target[i]))
      target[i] = target[i + 1] = 0;
}

/// True when the adjoint of `target` is to be added to one that `source` has already.
static inline _Bool meets_adjoint(Word *target, Word *source) {
  const uint64_t moved = *target, kept = *source;
  if (moved == 0 || is_address_or_integer(moved))
    return 0; // without an adjoint the source is left alone: it may be read-only
  if (kept != 0 && !is_address_or_integer(kept))
    return 1;
  *target = 0;
  *source = moved;
  return 0;
}

static inline void move_floats(Word *target, Word *source) {
  if (meets_adjoint(target, source))
    add_floats((Number *)target, (Number *)source, 2);
}

void float_words_moved_adjoint(Word *target, Word *source, size_t bytes) BODY_OF(assay.words.moved.adjoint.float);
void float_words_moved_adjoint(Word *target, Word *source, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_floats(&target[i], &source[i]);
  move_rest(target, source, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      move_floats(&target[i], &source[i]);
}

/// Of doubles and of floats that have no other one above them.
static inline void move_single(Word *target, Word *source) {
  if (meets_adjoint(target, source))
    add_single(target, source);
}

void single_words_moved_adjoint(Word *target, Word *source, size_t bytes) BODY_OF(assay.words.moved.adjoint.single);
void single_words_moved_adjoint(Word *target, Word *source, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_single(&target[i], &source[i]);
  move_rest(target, source, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      move_single(&target[i], &source[i]);
}

static inline _Bool cannot_move(Word *target, Word *source) {
  return meets_adjoint(target, source) && !adds_lone_floats(target, source);
}

/// True when there was something to add of which the type is not known.
_Bool ambiguous_fp_copy_moved_adjoint(Word *target, Word *source, size_t bytes)
    BODY_OF(assay.words.moved.adjoint.unclear);
_Bool ambiguous_fp_copy_moved_adjoint(Word *target, Word *source, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  _Bool is_unclear = 0;
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      is_unclear |= cannot_move(&target[i], &source[i]);
  move_rest(target, source, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      is_unclear |= cannot_move(&target[i], &source[i]);
  return is_unclear;
}

void float_words_cleared_adjoint(Word *target, size_t bytes) BODY_OF(assay.words.cleared.adjoint.float);
void float_words_cleared_adjoint(Word *target, size_t bytes) {
  clear_adjoints(target, bytes);
  clear_rest(target, bytes);
}

void float_words_of_constant(Word *shadow, const Word *source, size_t bytes) BODY_OF(assay.words.constant.float);
void float_words_of_constant(Word *shadow, const Word *source, size_t bytes) {
  clear_rest(shadow, bytes);
  copy_constants(shadow, source, bytes);
}
