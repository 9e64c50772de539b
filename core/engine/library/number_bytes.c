// Adjoints of parts of numbers, which begin at any place of what is copied and may have the bytes in any order: they
// are moved, and never added. And of numbers whose bytes are in the order that is not the machine's, which can be
// added.

#include "core/engine/library/loose_words.h"
#include "core/engine/library/word_bits.h"

ALWAYS_INLINE _Bool add_word(Word *target, Word *source) {
  (void)target;
  (void)source;
  return 1;
}

ALWAYS_INLINE void add_rest(Word *target, Word *source) {
  (void)target;
  (void)source;
}

/// No length is a multiple of so many bytes.
#define NEVER_ADDED (SIZE_MAX)

LOOSE_MOVES(bytes_moved_adjoint, NEVER_ADDED, assay.words.moved.adjoint.bytes, assay.tangent.words.moved.adjoint.bytes)

typedef uint32_t __attribute__((aligned(1), may_alias)) HalfWord;

/// The sum of two numbers in the reversed order, in that order.
ALWAYS_INLINE uint64_t reversed_sum_of_doubles(uint64_t one, uint64_t other) {
  const uint64_t left = __builtin_bswap64(one), right = __builtin_bswap64(other);
  const double sum = __builtin_bit_cast(double, left) + __builtin_bit_cast(double, right);
  return __builtin_bswap64(__builtin_bit_cast(uint64_t, sum));
}

ALWAYS_INLINE uint32_t reversed_sum_of_floats(uint32_t one, uint32_t other) {
  const uint32_t left = __builtin_bswap32(one), right = __builtin_bswap32(other);
  const float sum = __builtin_bit_cast(float, left) + __builtin_bit_cast(float, right);
  return __builtin_bswap32(__builtin_bit_cast(uint32_t, sum));
}

/// One number, and what is done to its tangent when a gradient is differentiated: the same.
#define REVERSED_MOVES(Bits, sum, function, name, name_of_tangent)                                                     \
  void function(Bits *target, Bits *source, size_t bytes) BODY_OF(name);                                               \
  void function(Bits *target, Bits *source, size_t bytes) {                                                            \
    (void)bytes;                                                                                                       \
    *source = sum(*target, *source);                                                                                   \
    *target = 0;                                                                                                       \
  }                                                                                                                    \
  void function##_tangent(Bits *target_tangent, Bits *source_tangent, size_t bytes, const Bits *target,                \
                          const Bits *source) BODY_OF(name_of_tangent);                                                \
  void function##_tangent(Bits *target_tangent, Bits *source_tangent, size_t bytes, const Bits *target,                \
                          const Bits *source) {                                                                        \
    (void)bytes;                                                                                                       \
    (void)target;                                                                                                      \
    (void)source;                                                                                                      \
    *source_tangent = sum(*target_tangent, *source_tangent);                                                           \
    *target_tangent = 0;                                                                                               \
  }

REVERSED_MOVES(Word, reversed_sum_of_doubles, reversed_double_moved_adjoint, assay.words.moved.adjoint.reversed,
               assay.tangent.words.moved.adjoint.reversed)
REVERSED_MOVES(HalfWord, reversed_sum_of_floats, reversed_float_moved_adjoint, assay.words.moved.adjoint.reversed.float,
               assay.tangent.words.moved.adjoint.reversed.float)
