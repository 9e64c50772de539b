#pragma once
// What moves of words that the program's run tells apart do to adjoints, when a gradient is differentiated in reverse
// mode. Each has a half that runs before the words move and gives a record of what they are by then, and one that takes
// the record back in the reverse sweep. All is linear in the numbers: where one goes to another, its adjoint is that
// one's, whatever the type. Who includes this says what a word is.

#include "core/engine/library/word.h"
#include <stdlib.h>

ALWAYS_INLINE _Bool moves_address(uint64_t bits, uint64_t source);

/// A few bits for each word: in the record itself, or in memory that it is the address of.
typedef uint64_t Record;

static const size_t record_bits = 64;

static inline _Bool is_in_memory(size_t bits) {
  return bits > record_bits;
}

static inline Record open_record(size_t bits) {
  return is_in_memory(bits) ? (Record)calloc((bits + record_bits - 1) / record_bits, sizeof(uint64_t)) : 0;
}

static inline void note(Record *record, size_t bits, size_t bit, _Bool value) {
  uint64_t *words = is_in_memory(bits) ? (uint64_t *)*record : record;
  words[bit / record_bits] |= (uint64_t)value << bit % record_bits;
}

static inline _Bool is_noted(const Record *record, size_t bits, size_t bit) {
  const uint64_t *words = is_in_memory(bits) ? (const uint64_t *)*record : record;
  return words[bit / record_bits] >> bit % record_bits & 1;
}

static inline void close_record(Record record, size_t bits) {
  if (is_in_memory(bits))
    free((void *)record);
}

// --- moves of addresses ----------------------------------------------------------------------------------------------

/// Where an address ends a number begins, with zero.
static inline _Bool moves_shadow(Word *target_shadow, uint64_t source_shadow, uint64_t bits, uint64_t target,
                                 uint64_t source) {
  if (moves_address(bits, source)) {
    *target_shadow = source_shadow;
    return 0;
  }
  const _Bool begins_number = is_address_or_integer(target);
  if (begins_number)
    *target_shadow = 0;
  return begins_number;
}

static inline Record record_shadows(Word *target_shadow, const Word *source_shadow, size_t bytes, const Word *bits,
                                    const Word *target, const Word *source) {
  const size_t count = bytes / sizeof(Word);
  Record record = open_record(count);
  for (size_t step = 0; step < count; ++step) {
    const size_t i = target <= source ? step : count - 1 - step;
    note(&record, count, i, moves_shadow(&target_shadow[i], source_shadow[i], bits[i], target[i], source[i]));
  }
  return record;
}

static inline Record record_clearing(Word *target_shadow, size_t bytes, const Word *target) {
  const size_t count = bytes / sizeof(Word);
  Record record = open_record(count);
  for (size_t i = 0; i < count; ++i)
    note(&record, count, i, moves_shadow(&target_shadow[i], 0, 0, target[i], 0));
  return record;
}

static inline void end_numbers(Word *target_shadow, size_t bytes, Record record) {
  const size_t count = bytes / sizeof(Word);
  for (size_t i = 0; i < count; ++i)
    if (is_noted(&record, count, i) && !is_address_or_integer(target_shadow[i]))
      target_shadow[i] = 0;
  close_record(record, count);
}

// --- sums of numbers -------------------------------------------------------------------------------------------------

/// The number at the target, which may be zero, goes to the source; there it may take the place of an address.
enum { moves_number, replaces_address, bits_of_a_sum };

static inline void note_sum(Record *record, size_t bits, size_t word, _Bool moves, _Bool replaces) {
  note(record, bits, bits_of_a_sum * word + moves_number, moves);
  note(record, bits, bits_of_a_sum * word + replaces_address, replaces);
}

static inline void record_sum(Record *record, size_t bits, size_t word, Word *source_shadow, uint64_t target,
                              uint64_t source) {
  const _Bool moves = !is_address_or_integer(target);
  const _Bool replaces = moves && target != 0 && is_address_or_integer(source);
  note_sum(record, bits, word, moves, replaces);
  if (replaces)
    *source_shadow = 0;
}

static inline void take_back_sum(const Record *record, size_t bits, size_t word, Word *target_shadow,
                                 Word *source_shadow) {
  if (!is_noted(record, bits, bits_of_a_sum * word + moves_number))
    return;
  const uint64_t adjoint = is_address_or_integer(*source_shadow) ? 0 : *source_shadow;
  if (is_noted(record, bits, bits_of_a_sum * word + replaces_address))
    *source_shadow = 0;
  *target_shadow = adjoint;
}
