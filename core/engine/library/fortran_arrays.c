// The elements of arrays in another order.
#include "core/engine/library/fortran_moves.h"

void transpose(Descriptor *result, const Descriptor *matrix, const char *file, int line) BODY_OF(_FortranATranspose);
void transpose(Descriptor *result, const Descriptor *matrix, const char *file, int line) {
  (void)file, (void)line;
  const Index rows = matrix->dimensions[1].extent, columns = matrix->dimensions[0].extent;
  begin_result(result, matrix, 2);
  set_extent(result, 0, rows);
  set_extent(result, 1, columns);
  allocate(result);
  for (Index column = 0; column < columns; ++column)
    for (Index row = 0; row < rows; ++row)
      put(result, column * rows + row,
          matrix->base + column * matrix->dimensions[0].stride + row * matrix->dimensions[1].stride);
}

/// Where the element at `place` of the source goes, with the dimensions in the order given.
static inline Index ordered_place(const Descriptor *result, const Descriptor *order, Index place) {
  Index target = 0;
  for (int rank = 0; rank < result->rank; ++rank) {
    const int dimension = (int)integer_at(order, rank) - 1;
    const Index extent = result->dimensions[dimension].extent;
    Index stride = 1;
    for (int before = 0; before < dimension; ++before)
      stride *= result->dimensions[before].extent;
    target += place % extent * stride;
    place /= extent;
  }
  return target;
}

void reshape(Descriptor *result, const Descriptor *source, const Descriptor *shape, const Descriptor *pad,
             const Descriptor *order, const char *file, int line) BODY_OF(_FortranAReshape);
void reshape(Descriptor *result, const Descriptor *source, const Descriptor *shape, const Descriptor *pad,
             const Descriptor *order, const char *file, int line) {
  (void)file, (void)line;
  begin_result(result, source, (int)shape->dimensions[0].extent);
  for (int dimension = 0; dimension < result->rank; ++dimension)
    set_extent(result, dimension, integer_at(shape, dimension));
  allocate(result);
  const Index elements = elements_of(result), given = elements_of(source);
  const Index more = pad ? elements_of(pad) : 1;
  for (Index place = 0; place < elements; ++place)
    put(result, order ? ordered_place(result, order, place) : place,
        place < given || !pad ? element(source, place) : element(pad, (place - given) % more));
}

void spread(Descriptor *result, const Descriptor *source, int dimension, long copies, const char *file, int line)
    BODY_OF(_FortranASpread);
void spread(Descriptor *result, const Descriptor *source, int dimension, long copies, const char *file, int line) {
  (void)file, (void)line;
  Index inner = 1;
  begin_result(result, source, source->rank + 1);
  for (int each = 0; each <= source->rank; ++each) {
    const int from = each < dimension - 1 ? each : each - 1;
    set_extent(result, each, each == dimension - 1 ? copies : source->dimensions[from].extent);
    if (each < dimension - 1)
      inner *= source->dimensions[each].extent;
  }
  allocate(result);
  const Index count = result->dimensions[dimension - 1].extent, elements = elements_of(result);
  for (Index place = 0; place < elements; ++place) {
    const Index source_place = place % inner + place / (inner * count) * inner;
    put(result, place, source->rank == 0 ? source->base : element(source, source_place));
  }
}
