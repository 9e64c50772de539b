// Elements that move along a dimension.
#include "core/engine/library/fortran_moves.h"

static inline Index wrapped(Index place, Index extent) {
  const Index rest = place % extent;
  return rest < 0 ? rest + extent : rest;
}

void cshift_vector(Descriptor *result, const Descriptor *source, long shift, const char *file, int line)
    BODY_OF(_FortranACshiftVector);
void cshift_vector(Descriptor *result, const Descriptor *source, long shift, const char *file, int line) {
  (void)file, (void)line;
  begin_like(result, source);
  const Index extent = source->dimensions[0].extent, stride = source->dimensions[0].stride;
  for (Index place = 0; place < extent; ++place)
    put(result, place, source->base + wrapped(place + shift, extent) * stride);
}

/// How far the row is shifted in which the element at `place` lies; `inner` elements lie before a step of it.
static inline Index shift_at(const Descriptor *shift, Index place, Index inner, Index extent) {
  if (shift->rank == 0)
    return integer_at(shift, 0);
  const char *value = element(shift, place % inner + place / (inner * extent) * inner);
  return shift->size == 8 ? *(const long *)value : *(const int *)value;
}

static inline Index elements_before(const Descriptor *array, int dimension) {
  Index inner = 1;
  for (int each = 0; each < dimension - 1; ++each)
    inner *= array->dimensions[each].extent;
  return inner;
}

void cshift(Descriptor *result, const Descriptor *source, const Descriptor *shift, int dimension, const char *file,
            int line) BODY_OF(_FortranACshift);
void cshift(Descriptor *result, const Descriptor *source, const Descriptor *shift, int dimension, const char *file,
            int line) {
  (void)file, (void)line;
  begin_like(result, source);
  const Index extent = source->dimensions[dimension - 1].extent, inner = elements_before(source, dimension);
  const Index elements = elements_of(source);
  for (Index place = 0; place < elements; ++place) {
    const Index at = place / inner % extent;
    const Index from = wrapped(at + shift_at(shift, place, inner, extent), extent);
    put(result, place, element(source, place + (from - at) * inner));
  }
}

/// What is shifted in: an element of the boundary, or zero.
static inline void put_boundary(const Descriptor *result, Index place, const Descriptor *boundary, Index row) {
  const Size size = result->size;
  if (boundary)
    put(result, place, boundary->rank == 0 ? boundary->base : element(boundary, row));
  else
    __builtin_memset(result->base + (Size)place * size, 0, size);
}

void eoshift_vector(Descriptor *result, const Descriptor *source, long shift, const Descriptor *boundary,
                    const char *file, int line) BODY_OF(_FortranAEoshiftVector);
void eoshift_vector(Descriptor *result, const Descriptor *source, long shift, const Descriptor *boundary,
                    const char *file, int line) {
  (void)file, (void)line;
  begin_like(result, source);
  const Index extent = source->dimensions[0].extent;
  for (Index place = 0; place < extent; ++place)
    if (place + shift >= 0 && place + shift < extent)
      put(result, place, source->base + (place + shift) * source->dimensions[0].stride);
    else
      put_boundary(result, place, boundary, 0);
}

void eoshift(Descriptor *result, const Descriptor *source, const Descriptor *shift, const Descriptor *boundary,
             int dimension, const char *file, int line) BODY_OF(_FortranAEoshift);
void eoshift(Descriptor *result, const Descriptor *source, const Descriptor *shift, const Descriptor *boundary,
             int dimension, const char *file, int line) {
  (void)file, (void)line;
  begin_like(result, source);
  const Index extent = source->dimensions[dimension - 1].extent, inner = elements_before(source, dimension);
  const Index elements = elements_of(source);
  for (Index place = 0; place < elements; ++place) {
    const Index at = place / inner % extent, from = at + shift_at(shift, place, inner, extent);
    if (from >= 0 && from < extent)
      put(result, place, element(source, place + (from - at) * inner));
    else
      put_boundary(result, place, boundary, place % inner + place / (inner * extent) * inner);
  }
}
