// Moves of memory of which only the program's run tells what its words are: pointers, integers, or doubles. A union, or
// the head of a container that is linked like its nodes, has both at the same place.
//
// The bits tell them apart. An address or a small integer, read as a double, would be smaller than any normal number,
// and a negative integer would be a NaN that no operation makes.

#include "core/engine/library/word_bits.h"
#include "core/engine/library/word_loops.h"

static inline void move_shadow(uint64_t bits, Word *target, uint64_t source) {
  if (is_address_or_integer(bits))
    *target = source;
  else if (is_address_or_integer(*target))
    *target = 0;
}

void words_moved(Word *target, const Word *source, size_t bytes, const Word *bits) BODY_OF(assay.words.moved);
void words_moved(Word *target, const Word *source, size_t bytes, const Word *bits) {
  // Most are the one word of a load or a store, as of a link between nodes.
  if (bytes == sizeof(Word)) {
    move_shadow(*bits, target, *source);
    return;
  }
  move_shadows(target, source, bits, bytes);
}

void words_cleared(Word *target, size_t bytes) BODY_OF(assay.words.cleared);
void words_cleared(Word *target, size_t bytes) {
  clear_shadows(target, bytes);
}

/// An address that is left where a number was moved from came there later in the run: nobody needs it any more.
static inline void move_adjoint(Word *target, Word *source) {
  const uint64_t moved = *target, kept = *source;
  if (moved == 0 || is_address_or_integer(moved))
    return; // without an adjoint the source is left alone: it may be read-only
  *target = 0;
  if (is_address_or_integer(kept))
    *source = moved;
  else
    *(Number *)source += *(const Number *)&moved;
}

void words_moved_adjoint(Word *target, Word *source, size_t bytes) BODY_OF(assay.words.moved.adjoint);
void words_moved_adjoint(Word *target, Word *source, size_t bytes) {
  if (bytes == sizeof(Word)) {
    move_adjoint(target, source);
    return;
  }
  const size_t count = bytes / sizeof(Word);
  if (target >= source)
    for (size_t i = 0; i < count; ++i)
      move_adjoint(&target[i], &source[i]);
  else
    for (size_t i = count; i-- > 0;)
      move_adjoint(&target[i], &source[i]);
}

void words_cleared_adjoint(Word *target, size_t bytes) BODY_OF(assay.words.cleared.adjoint);
void words_cleared_adjoint(Word *target, size_t bytes) {
  clear_adjoints(target, bytes);
}

void words_of_constant(Word *shadow, const Word *source, size_t bytes) BODY_OF(assay.words.constant);
void words_of_constant(Word *shadow, const Word *source, size_t bytes) {
  copy_constants(shadow, source, bytes);
}
