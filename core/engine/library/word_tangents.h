#pragma once
// Loops over the tangents of memory of which only the program's run tells what its words are. Which words they are is
// told by the words that are moved, as they are before the move. Who includes this says what a word is.

#include "core/engine/library/word.h"

ALWAYS_INLINE _Bool moves_address(uint64_t bits, uint64_t source);

/// Of `move_shadow` from the word `source` to the word `target`.
static inline void move_shadow_tangent(Word *target_tangent, uint64_t source_tangent, uint64_t bits, uint64_t target,
                                       uint64_t source) {
  if (moves_address(bits, source))
    *target_tangent = source_tangent;
  else if (is_address_or_integer(target))
    *target_tangent = 0;
}

static inline void move_shadow_tangents(Word *target_tangent, const Word *source_tangent, size_t bytes,
                                        const Word *bits, const Word *target, const Word *source) {
  const size_t count = bytes / sizeof(Word);
  if (target <= source)
    for (size_t i = 0; i < count; ++i)
      move_shadow_tangent(&target_tangent[i], source_tangent[i], bits[i], target[i], source[i]);
  else
    for (size_t i = count; i-- > 0;)
      move_shadow_tangent(&target_tangent[i], source_tangent[i], bits[i], target[i], source[i]);
}

/// An adjoint of zero leaves an address where it would be added, while its tangent is put in place of that of the
/// address: so only what is one is cleared.
static inline void clear_shadow_tangents(Word *target_tangent, size_t bytes, const Word *target) {
  for (size_t i = 0; i < bytes / sizeof(Word); ++i)
    if (is_address_or_integer(target_tangent[i]))
      move_shadow_tangent(&target_tangent[i], 0, 0, target[i], 0);
}

static inline void clear_adjoint_tangents(Word *target_tangent, size_t bytes, const Word *target) {
  for (size_t i = 0; i < bytes / sizeof(Word); ++i)
    if (!is_address_or_integer(target[i]))
      target_tangent[i] = 0;
}

/// True when the tangent of the adjoint `target` is to be added to one that `source` has already. The adjoint may be
/// zero where its tangent is not.
static inline _Bool meets_tangent(Word *target_tangent, Word *source_tangent, uint64_t target) {
  const uint64_t moved = *target_tangent, kept = *source_tangent;
  if (is_address_or_integer(target) || (target == 0 && (moved == 0 || is_address_or_integer(moved))))
    return 0;
  if (kept != 0 && !is_address_or_integer(kept))
    return moved != 0;
  *target_tangent = 0;
  *source_tangent = moved;
  return 0;
}

static inline void copy_constant_tangents(Word *target_tangent, const Word *source_tangent, size_t bytes,
                                          const Word *source) {
  const size_t count = bytes / sizeof(Word);
  if (target_tangent <= source_tangent)
    for (size_t i = 0; i < count; ++i)
      target_tangent[i] = is_address_or_integer(source[i]) ? source_tangent[i] : 0;
  else
    for (size_t i = count; i-- > 0;)
      target_tangent[i] = is_address_or_integer(source[i]) ? source_tangent[i] : 0;
}
