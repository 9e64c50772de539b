// Adjoints of the functions of words.c, for reverse over reverse mode.

#include "core/engine/library/word_adjoints.h"
#include "core/engine/library/word_bits.h"

Record words_moved_augmented(Word *target_shadow, const Word *source_shadow, size_t bytes, const Word *bits,
                             const Word *target, const Word *source) BODY_OF(assay.augmented.words.moved);
Record words_moved_augmented(Word *target_shadow, const Word *source_shadow, size_t bytes, const Word *bits,
                             const Word *target, const Word *source) {
  return record_shadows(target_shadow, source_shadow, bytes, bits, target, source);
}

void words_moved_reverse(Word *target_shadow, size_t bytes, Record record) BODY_OF(assay.reverse.words.moved);
void words_moved_reverse(Word *target_shadow, size_t bytes, Record record) {
  end_numbers(target_shadow, bytes, record);
}

Record words_cleared_augmented(Word *target_shadow, size_t bytes, const Word *target)
    BODY_OF(assay.augmented.words.cleared);
Record words_cleared_augmented(Word *target_shadow, size_t bytes, const Word *target) {
  return record_clearing(target_shadow, bytes, target);
}

void words_cleared_reverse(Word *target_shadow, size_t bytes, Record record) BODY_OF(assay.reverse.words.cleared);
void words_cleared_reverse(Word *target_shadow, size_t bytes, Record record) {
  end_numbers(target_shadow, bytes, record);
}

Record words_moved_adjoint_augmented(Word *source_shadow, size_t bytes, const Word *target, const Word *source)
    BODY_OF(assay.augmented.words.moved.adjoint);
Record words_moved_adjoint_augmented(Word *source_shadow, size_t bytes, const Word *target, const Word *source) {
  const size_t count = bytes / sizeof(Word), bits = bits_of_a_sum * count;
  Record record = open_record(bits);
  for (size_t i = 0; i < count; ++i)
    record_sum(&record, bits, i, &source_shadow[i], target[i], source[i]);
  return record;
}

void words_moved_adjoint_reverse(Word *target_shadow, Word *source_shadow, size_t bytes, Record record)
    BODY_OF(assay.reverse.words.moved.adjoint);
void words_moved_adjoint_reverse(Word *target_shadow, Word *source_shadow, size_t bytes, Record record) {
  const size_t count = bytes / sizeof(Word), bits = bits_of_a_sum * count;
  for (size_t step = 0; step < count; ++step) {
    const size_t i = target_shadow >= source_shadow ? count - 1 - step : step;
    take_back_sum(&record, bits, i, &target_shadow[i], &source_shadow[i]);
  }
  close_record(record, bits);
}
