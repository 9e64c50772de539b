// Adjoints of the functions of float_words.c, for reverse over reverse mode. The type of the numbers does not matter:
// the adjoint of a sum is a copy.

#include "core/engine/library/float_word_bits.h"
#include "core/engine/library/word_adjoints.h"

Record float_words_moved_augmented(Word *target_shadow, const Word *source_shadow, size_t bytes, const Word *bits,
                                   const Word *target, const Word *source) BODY_OF(assay.augmented.words.moved.float);
Record float_words_moved_augmented(Word *target_shadow, const Word *source_shadow, size_t bytes, const Word *bits,
                                   const Word *target, const Word *source) {
  return record_shadows(target_shadow, source_shadow, bytes, bits, target, source);
}

void float_words_moved_reverse(Word *target_shadow, size_t bytes, Record record)
    BODY_OF(assay.reverse.words.moved.float);
void float_words_moved_reverse(Word *target_shadow, size_t bytes, Record record) {
  end_numbers(target_shadow, bytes, record);
}

Record float_words_cleared_augmented(Word *target_shadow, size_t bytes, const Word *target)
    BODY_OF(assay.augmented.words.cleared.float);
Record float_words_cleared_augmented(Word *target_shadow, size_t bytes, const Word *target) {
  return record_clearing(target_shadow, bytes, target);
}

void float_words_cleared_reverse(Word *target_shadow, size_t bytes, Record record)
    BODY_OF(assay.reverse.words.cleared.float);
void float_words_cleared_reverse(Word *target_shadow, size_t bytes, Record record) {
  end_numbers(target_shadow, bytes, record);
}

/// Of half a word behind the others.
static inline void record_sum_of_rest(Record *record, size_t bits, Word *source_shadow, size_t bytes,
                                      const Word *target, const Word *source) {
  const HalfWord *const rest = rest_of((Word *)target, bytes), *const kept = rest_of((Word *)source, bytes);
  if (!rest)
    return;
  const _Bool moves = !is_half_integer(*rest) && !is_half_address(rest);
  const _Bool replaces = moves && *rest != 0 && (is_half_address(kept) || is_half_integer(*kept));
  note_sum(record, bits, bytes / sizeof(Word), moves, replaces);
  HalfWord *const shadow = rest_of(source_shadow, bytes);
  if (replaces && is_half_address(shadow))
    *(Word *)shadow = 0;
  else if (replaces)
    *shadow = 0;
}

static inline void take_back_sum_of_rest(const Record *record, size_t bits, Word *target_shadow, Word *source_shadow,
                                         size_t bytes) {
  HalfWord *const rest = rest_of(target_shadow, bytes), *const kept = rest_of(source_shadow, bytes);
  const size_t word = bytes / sizeof(Word);
  if (!rest || !is_noted(record, bits, bits_of_a_sum * word + moves_number))
    return;
  const HalfWord adjoint = is_half_integer(*kept) || is_half_address(kept) ? 0 : *kept;
  if (is_noted(record, bits, bits_of_a_sum * word + replaces_address))
    *kept = 0;
  *rest = adjoint;
}

Record float_words_moved_adjoint_augmented(Word *source_shadow, size_t bytes, const Word *target, const Word *source)
    BODY_OF(assay.augmented.words.moved.adjoint.float);
Record float_words_moved_adjoint_augmented(Word *source_shadow, size_t bytes, const Word *target, const Word *source) {
  const size_t count = bytes / sizeof(Word), bits = bits_of_a_sum * (count + 1);
  Record record = open_record(bits);
  for (size_t i = 0; i < count; ++i)
    record_sum(&record, bits, i, &source_shadow[i], target[i], source[i]);
  record_sum_of_rest(&record, bits, source_shadow, bytes, target, source);
  return record;
}

void float_words_moved_adjoint_reverse(Word *target_shadow, Word *source_shadow, size_t bytes, Record record)
    BODY_OF(assay.reverse.words.moved.adjoint.float);
void float_words_moved_adjoint_reverse(Word *target_shadow, Word *source_shadow, size_t bytes, Record record) {
  const size_t count = bytes / sizeof(Word), bits = bits_of_a_sum * (count + 1);
  const _Bool from_the_end = target_shadow >= source_shadow;
  if (from_the_end)
    take_back_sum_of_rest(&record, bits, target_shadow, source_shadow, bytes);
  for (size_t step = 0; step < count; ++step) {
    const size_t i = from_the_end ? count - 1 - step : step;
    take_back_sum(&record, bits, i, &target_shadow[i], &source_shadow[i]);
  }
  if (!from_the_end)
    take_back_sum_of_rest(&record, bits, target_shadow, source_shadow, bytes);
  close_record(record, bits);
}
