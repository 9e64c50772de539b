// Elements that a mask selects, and copies.
#include "core/engine/library/fortran_moves.h"

void pack(Descriptor *result, const Descriptor *source, const Descriptor *mask, const Descriptor *vector,
          const char *file, int line) BODY_OF(_FortranAPack);
void pack(Descriptor *result, const Descriptor *source, const Descriptor *mask, const Descriptor *vector,
          const char *file, int line) {
  (void)file, (void)line;
  const Index elements = elements_of(source);
  Index count = 0;
  for (Index place = 0; place < elements; ++place)
    count += is_true(mask, place);
  begin_result(result, source, 1);
  set_extent(result, 0, vector ? vector->dimensions[0].extent : count);
  allocate(result);
  Index next = 0;
  for (Index place = 0; place < elements; ++place)
    if (is_true(mask, place))
      put(result, next++, element(source, place));
  for (; vector && next < vector->dimensions[0].extent; ++next)
    put(result, next, element(vector, next));
}

void unpack(Descriptor *result, const Descriptor *vector, const Descriptor *mask, const Descriptor *field,
            const char *file, int line) BODY_OF(_FortranAUnpack);
void unpack(Descriptor *result, const Descriptor *vector, const Descriptor *mask, const Descriptor *field,
            const char *file, int line) {
  (void)file, (void)line;
  begin_result(result, vector, mask->rank);
  for (int dimension = 0; dimension < mask->rank; ++dimension)
    set_extent(result, dimension, mask->dimensions[dimension].extent);
  allocate(result);
  const Index elements = elements_of(mask);
  Index next = 0;
  for (Index place = 0; place < elements; ++place)
    put(result, place,
        is_true(mask, place) ? element(vector, next++)
        : field->rank == 0   ? field->base
                             : element(field, place));
}

void shallow_copy(Descriptor *result, const Descriptor *source, const char *file, int line)
    BODY_OF(_FortranAShallowCopy);
void shallow_copy(Descriptor *result, const Descriptor *source, const char *file, int line) {
  (void)file, (void)line;
  begin_like(result, source);
  const Index elements = elements_of(source);
  for (Index place = 0; place < elements; ++place)
    put(result, place, element(source, place));
}

void shallow_copy_direct(const Descriptor *result, const Descriptor *source, const char *file, int line)
    BODY_OF(_FortranAShallowCopyDirect);
void shallow_copy_direct(const Descriptor *result, const Descriptor *source, const char *file, int line) {
  (void)file, (void)line;
  const Index elements = elements_of(source);
  for (Index place = 0; place < elements; ++place)
    copy_element(element(result, place), element(source, place), source->size);
}
