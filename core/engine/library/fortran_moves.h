// For functions that move the elements of arrays: they have results in memory of their own, and numbers keep their
// type.
#include "core/engine/library/fortran.h"

static inline void put(const Descriptor *result, Index place, const char *source) {
  const Size size = result->size;
  copy_element(result->base + (Size)place * size, source, size);
}

static inline Index integer_at(const Descriptor *array, Index place) {
  const char *value = array->base + (array->rank == 0 ? 0 : place * array->dimensions[0].stride);
  switch (array->size) {
  case 1:
    return *(const signed char *)value;
  case 2:
    return *(const short *)value;
  case 4:
    return *(const int *)value;
  default:
    return *(const long *)value;
  }
}

static inline void begin_like(Descriptor *result, const Descriptor *source) {
  begin_result(result, source, source->rank);
  for (int dimension = 0; dimension < source->rank; ++dimension)
    set_extent(result, dimension, source->dimensions[dimension].extent);
  allocate(result);
}
