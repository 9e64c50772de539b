#pragma once
// How the bits of a word tell what it is, in programs whose numbers are doubles. An address or a small integer, read as
// a double, would be smaller than any normal number, and a negative integer would be a NaN that no operation makes.

#include "core/engine/library/word.h"

typedef double __attribute__((aligned(1), may_alias)) Number;

static const uint64_t first_normal_bits = (uint64_t)1 << 52, first_negative_integer = (uint64_t)0xFFFF << 48;

ALWAYS_INLINE _Bool is_address_or_integer(uint64_t bits) {
  return (bits != 0 && bits < first_normal_bits) || bits >= first_negative_integer;
}

/// True when the word that becomes `bits` is an address, and `source` is its shadow.
ALWAYS_INLINE _Bool moves_address(uint64_t bits, uint64_t source) {
  (void)source;
  return is_address_or_integer(bits);
}
