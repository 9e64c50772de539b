#pragma once
// Loops over memory of which only the program's run tells what its words are. Who includes this says what a word is, by
// the functions that are declared first, and gives the loops their names.

#include "core/engine/library/word.h"

/// The shadow's word when the primal's becomes `bits`: shadows of pointers move along, those of numbers stay until the
/// reverse sweep. No shadow pointer may stay where a number is.
static inline void move_shadow(uint64_t bits, Word *target, uint64_t source);

static inline void move_shadows(Word *target, const Word *source, const Word *bits, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  if (target <= source)
    for (size_t i = 0; i < count; ++i)
      move_shadow(bits[i], &target[i], source[i]);
  else
    for (size_t i = count; i-- > 0;)
      move_shadow(bits[i], &target[i], source[i]);
}

static inline void clear_shadows(Word *target, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(Word); ++i)
    move_shadow(0, &target[i], 0);
}

static inline void clear_adjoints(Word *target, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(Word); ++i)
    if (!is_address_or_integer(target[i]))
      target[i] = 0;
}

/// Words without a derivative are copied: numbers have the tangent zero, all else is its own shadow.
static inline void copy_constants(Word *shadow, const Word *source, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  if (shadow <= source)
    for (size_t i = 0; i < count; ++i)
      shadow[i] = is_address_or_integer(source[i]) ? source[i] : 0;
  else
    for (size_t i = count; i-- > 0;)
      shadow[i] = is_address_or_integer(source[i]) ? source[i] : 0;
}
