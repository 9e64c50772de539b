#pragma once
// How the bits of a word tell what it is, in programs that compute with floats as well.
//
// In position-independent programs addresses lie in [2^38, 2^48). Two floats do so only if the upper one is of the size
// 1e-40 and smaller, which nothing computes; a float beside an integer may as well, but its shadow does not. Programs
// at fixed addresses have their globals and their heap below 2^38 (fixed_addresses.h). Small integers are tiny floats.

#include "core/engine/library/fixed_addresses.h"
#include "core/engine/library/word.h"

typedef uint32_t __attribute__((aligned(1), may_alias)) HalfWord;
typedef float __attribute__((aligned(1), may_alias)) Number;
typedef double __attribute__((aligned(1), may_alias)) WideNumber;

static const uint64_t first_address = (uint64_t)1 << 38, end_of_addresses = (uint64_t)1 << 48;
static const uint64_t end_of_integers = (uint64_t)1 << 24, first_negative_integer = (uint64_t)0xFFFFFFFF << 32;

ALWAYS_INLINE _Bool is_address(uint64_t bits) {
  return (bits >= first_address && bits < end_of_addresses) ||
         (bits != 0 && bits < first_address && is_fixed_address(bits));
}

ALWAYS_INLINE _Bool is_address_or_integer(uint64_t bits) {
  return (bits != 0 && bits < end_of_integers) || bits >= first_negative_integer || is_address(bits);
}

/// True when the word that becomes `bits` is an address, and `source` is its shadow.
ALWAYS_INLINE _Bool moves_address(uint64_t bits, uint64_t source) {
  return is_address_or_integer(bits) && is_address_or_integer(source);
}

static const HalfWord end_of_half_integers = 1 << 24, first_negative_half = 0xFFFF0000;

/// Half a word that is a small integer: as a float it would be one that nothing computes.
ALWAYS_INLINE _Bool is_half_integer(HalfWord bits) {
  return (bits != 0 && bits < end_of_half_integers) || bits >= first_negative_half;
}

static inline void add_floats(Number *target, Number *source, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float moved = target[i];
    target[i] = 0;
    source[i] += moved;
  }
}

/// True where both words have a float with nothing above it, which is no double that anything computes.
static inline _Bool adds_lone_floats(Word *target, Word *source) {
  const _Bool are_alone = ((*target | *source) >> 48) == 0;
  if (are_alone)
    add_floats((Number *)target, (Number *)source, 1);
  return are_alone;
}

static inline void add_single(Word *target, Word *source) {
  if (adds_lone_floats(target, source))
    return;
  const double moved = *(WideNumber *)target;
  *target = 0;
  *(WideNumber *)source += moved;
}

/// Half of a word that is left of a length which ends within one: a float, perhaps with characters behind it. Null
/// where less is left.
static inline HalfWord *rest_of(Word *words, size_t bytes) {
  return bytes % sizeof(Word) >= sizeof(HalfWord) ? (HalfWord *)&words[bytes / sizeof(Word)] : NULL;
}

/// True where the half is the lower one of a word that is an address, left there from another time of the run.
static inline _Bool is_half_address(const HalfWord *half) {
  return half && (uintptr_t)half % sizeof(Word) == 0 && is_address(*(const Word *)half);
}

/// Shadows of integers move along, those of numbers stay until the reverse sweep. Nothing of an address stays.
static inline void move_shadow_of_rest(Word *target, const Word *source, size_t bytes, const Word *bits) {
  const HalfWord *const moved = rest_of((Word *)bits, bytes);
  HalfWord *const shadow = rest_of(target, bytes);
  if (!moved)
    return;
  if (is_half_address(shadow))
    *(Word *)shadow = 0;
  if (is_half_integer(*moved))
    *shadow = *rest_of((Word *)source, bytes);
  else if (is_half_integer(*shadow))
    *shadow = 0;
}

static inline void move_rest(Word *target, Word *source, size_t bytes) {
  HalfWord *rest = rest_of(target, bytes), *kept = rest_of(source, bytes);
  if (!rest || *rest == 0 || is_half_integer(*rest) || is_half_address(rest))
    return;
  if (is_half_address(kept))
    *(Word *)kept = 0;
  else if (is_half_integer(*kept))
    *kept = 0;
  add_floats((Number *)rest, (Number *)kept, 1);
}

static inline void clear_rest(Word *target, size_t bytes) {
  HalfWord *rest = rest_of(target, bytes);
  if (rest)
    *rest = 0;
}
