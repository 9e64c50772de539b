#pragma once
// Copies of the elements of one array to those of another.
#include "core/engine/library/fortran_types.h"

/// Characters are cut or padded.
static inline void copy_text(char *target, Size size, const char *source, Size given) {
  for (Size place = 0; place < size; ++place)
    target[place] = place < given ? source[place] : ' ';
}

static inline void copy_all(const Descriptor *to, const Descriptor *from) {
  const Index elements = elements_of(to);
  const Size size = to->size;
  if (to->type == type_character) {
    for (Index place = 0; place < elements; ++place)
      copy_text(element(to, place), size, element(from, from->rank == 0 ? 0 : place), from->size);
    return;
  }
  if (from->rank == 0) {
    for (Index place = 0; place < elements; ++place)
      copy_element(element(to, place), from->base, size);
    return;
  }
  for (Index place = 0; place < elements; ++place)
    copy_element(element(to, place), element(from, place), size);
}
