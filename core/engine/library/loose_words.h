#pragma once
// Adjoints of memory that is copied by the byte, as buffers are that things of any size are written to one after the
// other: numbers may begin at any place of it, so that its words may be parts of two numbers, and its length ends
// within one. Each file that includes this defines how the numbers of a word are added, for its type of numbers.
//
// Where a place has no adjoint yet, the type of the moved bytes need not be known. Where it has one, numbers are added
// that are counted from where the copy begins, which is right where nothing but numbers was copied. A length that is no
// multiple of their size says that there is more, and nothing tells where they are.

#include "core/engine/library/word.h"

typedef unsigned char __attribute__((may_alias)) Byte;

/// Adds the numbers of a word. True where their type is not known.
ALWAYS_INLINE _Bool add_word(Word *target, Word *source);
/// Adds the numbers of less than a word, which are whole ones.
ALWAYS_INLINE void add_rest(Word *target, Word *source);

/// True when both have an adjoint there.
ALWAYS_INLINE _Bool move_loose_byte(Byte *target, Byte *source) {
  if (*target == 0)
    return 0;
  if (*source != 0)
    return 1;
  *source = *target;
  *target = 0;
  return 0;
}

static inline _Bool move_loose_bytes(Byte *target, Byte *source, size_t bytes) {
  _Bool is_unclear = 0;
  if (target > source)
    for (size_t i = 0; i < bytes; ++i)
      is_unclear |= move_loose_byte(&target[i], &source[i]);
  else
    for (size_t i = bytes; i-- > 0;)
      is_unclear |= move_loose_byte(&target[i], &source[i]);
  return is_unclear;
}

static inline _Bool move_loose_word(Word *target, Word *source, _Bool adds) {
  const uint64_t moved = *target, kept = *source;
  if (moved == 0 || (moved == kept && is_address_or_integer(moved)))
    return 0;
  if (kept != 0 && !adds)
    return move_loose_bytes((Byte *)target, (Byte *)source, sizeof(Word));
  if (kept != 0 && is_address_or_integer(moved))
    return 0;
  if (kept != 0 && !is_address_or_integer(kept))
    return add_word(target, source);
  *target = 0;
  *source = moved;
  return 0;
}

static inline _Bool move_loose_rest(Word *target, Word *source, size_t bytes, _Bool adds) {
  if (bytes == 0)
    return 0;
  if (!adds)
    return move_loose_bytes((Byte *)target, (Byte *)source, bytes);
  add_rest(target, source);
  return 0;
}

/// True when numbers had to be added whose type or place is not known.
static inline _Bool move_loose_words(Word *target, Word *source, size_t bytes, size_t number) {
  const size_t distance = target > source ? (Byte *)target - (Byte *)source : (Byte *)source - (Byte *)target;
  if (distance == 0)
    return 0;
  if (distance < sizeof(Word)) // source and target words overlap
    return move_loose_bytes((Byte *)target, (Byte *)source, bytes);
  const _Bool adds = bytes % number == 0;
  const size_t count = bytes / sizeof(Word), rest = bytes % sizeof(Word);
  _Bool is_unclear = 0;
  if (target > source)
    for (size_t i = 0; i < count; ++i)
      is_unclear |= move_loose_word(&target[i], &source[i], adds);
  is_unclear |= move_loose_rest(&target[count], &source[count], rest, adds);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      is_unclear |= move_loose_word(&target[i], &source[i], adds);
  return is_unclear;
}

/// The two functions of a file: of adjoints, and of their tangents, to which the same is done. A number has `size`
/// bytes.
#define LOOSE_MOVES(function, size, name, name_of_tangent)                                                             \
  _Bool function(Word *target, Word *source, size_t bytes) BODY_OF(name);                                              \
  _Bool function(Word *target, Word *source, size_t bytes) {                                                           \
    return move_loose_words(target, source, bytes, size);                                                              \
  }                                                                                                                    \
  _Bool function##_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,               \
                           const Word *source) BODY_OF(name_of_tangent);                                               \
  _Bool function##_tangent(Word *target_tangent, Word *source_tangent, size_t bytes, const Word *target,               \
                           const Word *source) {                                                                       \
    (void)target;                                                                                                      \
    (void)source;                                                                                                      \
    return move_loose_words(target_tangent, source_tangent, bytes, size);                                              \
  }
