// Contiguous copies of arguments, and what is contiguous.
#include "core/engine/library/fortran_copies.h"

/// A contiguous copy of an argument, and back.
void copy_in(Descriptor *copy, const Descriptor *array, const char *file, int line) BODY_OF(_FortranACopyInAssign);
void copy_in(Descriptor *copy, const Descriptor *array, const char *file, int line) {
  (void)file, (void)line;
  begin_result(copy, array, array->rank);
  copy->extra = 0;
  for (int dimension = 0; dimension < array->rank; ++dimension)
    set_extent(copy, dimension, array->dimensions[dimension].extent);
  allocate(copy);
  copy_all(copy, array);
}

void copy_out(Descriptor *array, Descriptor *copy, const char *file, int line) BODY_OF(_FortranACopyOutAssign);
void copy_out(Descriptor *array, Descriptor *copy, const char *file, int line) {
  (void)file, (void)line;
  if (array)
    copy_all(array, copy);
  __builtin_free(copy->base);
  copy->base = 0;
}

_Bool contiguous(const Descriptor *array) BODY_OF(_FortranAIsContiguous);
_Bool contiguous(const Descriptor *array) {
  return is_contiguous(array);
}

_Bool contiguous_up_to(const Descriptor *array, int dimensions) BODY_OF(_FortranAIsContiguousUpTo);
_Bool contiguous_up_to(const Descriptor *array, int dimensions) {
  Index stride = (Index)array->size;
  for (int dimension = 0; dimension < dimensions && dimension < array->rank; ++dimension) {
    if (array->dimensions[dimension].extent > 1 && array->dimensions[dimension].stride != stride)
      return 0;
    stride *= array->dimensions[dimension].extent;
  }
  return 1;
}
