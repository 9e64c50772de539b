// As words.c, for programs that compute with floats as well: a word is an address, an integer, a double or two floats.
//
// In position-independent programs addresses lie in [2^38, 2^48). Two floats do so only if the upper one is of the size
// 1e-40 and smaller, which nothing computes; a float beside an integer may as well, but its shadow does not. Programs
// at fixed addresses have their globals and their heap below the end that sbrk tells; there, too, would be a float with
// zero above it, but of the size 1e-30 as long as the heap is smaller than some hundred megabytes. Small
// integers are tiny floats. Whether a number is a double or two floats the bits do not tell: where that matters and the
// program's text does not tell it either, the caller is told.

#include "core/engine/library/word_loops.h"

typedef uint32_t __attribute__((aligned(1), may_alias)) HalfWord;
typedef float __attribute__((aligned(1), may_alias)) Number;

static const uint64_t first_address = (uint64_t)1 << 38, end_of_addresses = (uint64_t)1 << 48;
static const uint64_t end_of_integers = (uint64_t)1 << 24, first_negative_integer = (uint64_t)0xFFFFFFFF << 32;

extern void *sbrk(intptr_t bytes);

static inline _Bool is_fixed_address(uint64_t bits) {
  const uint64_t end_of_heap = bits < first_address ? (uint64_t)sbrk(0) : 0;
  return end_of_heap < first_address && bits < end_of_heap;
}

static inline _Bool is_address_or_integer(uint64_t bits) {
  return (bits != 0 && bits < end_of_integers) || (bits >= first_address && bits < end_of_addresses) ||
         bits >= first_negative_integer || (bits != 0 && is_fixed_address(bits));
}

/// As in words.c; a shadow that is no address is one of a number, whatever the primal looks like.
static inline void move_shadow(uint64_t bits, Word *target, uint64_t source) {
  if (is_address_or_integer(bits) && is_address_or_integer(source))
    *target = source;
  else if (is_address_or_integer(*target))
    *target = 0;
}

void float_words_moved(Word *target, const Word *source, const Word *bits, size_t bytes)
    BODY_OF(assay.words.moved.float);
void float_words_moved(Word *target, const Word *source, const Word *bits, size_t bytes) {
  move_shadows(target, source, bits, bytes);
}

void float_words_cleared(Word *target, size_t bytes) BODY_OF(assay.words.cleared.float);
void float_words_cleared(Word *target, size_t bytes) {
  clear_shadows(target, bytes);
}

static inline void add_floats(Number *target, Number *source, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const float moved = target[i];
    target[i] = 0;
    source[i] += moved;
  }
}

/// What is left of a length that ends within a word: one float.
static inline void move_rest(HalfWord *target, HalfWord *source, size_t bytes) {
  const size_t rest = bytes / sizeof(HalfWord) - 1;
  if (bytes % sizeof(Word) == sizeof(HalfWord) && target[rest] != 0)
    add_floats((Number *)&target[rest], (Number *)&source[rest], 1);
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
  move_rest((HalfWord *)target, (HalfWord *)source, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      move_floats(&target[i], &source[i]);
}

/// True when there was something to add of which the type is not known.
_Bool unclear_words_moved_adjoint(Word *target, Word *source, size_t bytes) BODY_OF(assay.words.moved.adjoint.unclear);
_Bool unclear_words_moved_adjoint(Word *target, Word *source, size_t bytes) {
  const size_t count = bytes / sizeof(Word);
  _Bool is_unclear = 0;
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      is_unclear |= meets_adjoint(&target[i], &source[i]);
  move_rest((HalfWord *)target, (HalfWord *)source, bytes);
  if (target < source)
    for (size_t i = count; i-- > 0;)
      is_unclear |= meets_adjoint(&target[i], &source[i]);
  return is_unclear;
}

void float_words_cleared_adjoint(Word *target, size_t bytes) BODY_OF(assay.words.cleared.adjoint.float);
void float_words_cleared_adjoint(Word *target, size_t bytes) {
  clear_adjoints(target, bytes);
  if (bytes % sizeof(Word) == sizeof(HalfWord))
    ((HalfWord *)target)[bytes / sizeof(HalfWord) - 1] = 0;
}

void float_words_of_constant(Word *shadow, const Word *source, size_t bytes) BODY_OF(assay.words.constant.float);
void float_words_of_constant(Word *shadow, const Word *source, size_t bytes) {
  if (bytes % sizeof(Word) == sizeof(HalfWord))
    ((HalfWord *)shadow)[bytes / sizeof(HalfWord) - 1] = 0;
  copy_constants(shadow, source, bytes);
}
