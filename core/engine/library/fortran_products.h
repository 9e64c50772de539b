// Products of vectors and matrices.
#include "core/engine/library/fortran_numbers.h"

#define DOT JOINED(DotProduct, NAME)
NUMBER DOT(const Descriptor *left, const Descriptor *right, const char *file, int line)
    BODY_OF_REDUCTION(_FortranADotProduct);
NUMBER DOT(const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  double sum = 0;
  const Index elements = left->dimensions[0].extent;
  for (Index place = 0; place < elements; ++place)
    sum += (double)number_at(left, place) * number_at(right, place);
  return (NUMBER)sum;
}

/// Vectors and matrices; the result is new memory, or that which is there.
static inline void multiply(Descriptor *result, const Descriptor *left, const Descriptor *right) {
  const Index rows = left->rank == 2 ? left->dimensions[0].extent : 1;
  const Index inner = left->dimensions[left->rank - 1].extent;
  const Index columns = right->rank == 2 ? right->dimensions[1].extent : 1;
  const Index left_row = left->rank == 2 ? left->dimensions[0].stride : 0;
  const Index left_inner = left->dimensions[left->rank - 1].stride;
  const Index right_column = right->rank == 2 ? right->dimensions[1].stride : 0;
  const Index right_inner = right->dimensions[0].stride;
  const Index result_row = left->rank == 2 ? result->dimensions[0].stride : 0;
  const Index result_column = right->rank == 2 ? result->dimensions[result->rank - 1].stride : 0;
  for (Index column = 0; column < columns; ++column)
    for (Index row = 0; row < rows; ++row) {
      NUMBER sum = 0;
      for (Index place = 0; place < inner; ++place)
        sum += *(const NUMBER *)(left->base + row * left_row + place * left_inner) *
               *(const NUMBER *)(right->base + place * right_inner + column * right_column);
      *(NUMBER *)(result->base + row * result_row + column * result_column) = sum;
    }
}

#define MATMUL(name) BODY_OF_MATMUL_(name, NAME)
#define BODY_OF_MATMUL_(first, second) BODY_OF_MATMUL__(first, second)
#define BODY_OF_MATMUL__(first, second) __asm__(#first #second #second)

#define MULTIPLY JOINED(Matmul, NAME)
void MULTIPLY(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line)
    MATMUL(_FortranAMatmul);
void MULTIPLY(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  begin_result(result, left, left->rank + right->rank - 2);
  int dimension = 0;
  if (left->rank == 2)
    set_extent(result, dimension++, left->dimensions[0].extent);
  if (right->rank == 2)
    set_extent(result, dimension, right->dimensions[1].extent);
  allocate(result);
  multiply(result, left, right);
}

#define MULTIPLY_DIRECT JOINED(MatmulDirect, NAME)
void MULTIPLY_DIRECT(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line)
    MATMUL(_FortranAMatmulDirect);
void MULTIPLY_DIRECT(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  multiply(result, left, right);
}

/// The product of a transposed matrix and a vector or matrix.
#define MULTIPLY_TRANSPOSED JOINED(MatmulTranspose, NAME)
void MULTIPLY_TRANSPOSED(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file,
                         int line) MATMUL(_FortranAMatmulTranspose);
void MULTIPLY_TRANSPOSED(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file,
                         int line) {
  (void)file, (void)line;
  const Index rows = left->dimensions[1].extent, inner = left->dimensions[0].extent;
  const Index columns = right->rank == 2 ? right->dimensions[1].extent : 1;
  const Index right_column = right->rank == 2 ? right->dimensions[1].stride : 0;
  begin_result(result, left, right->rank);
  set_extent(result, 0, rows);
  if (right->rank == 2)
    set_extent(result, 1, columns);
  allocate(result);
  for (Index column = 0; column < columns; ++column)
    for (Index row = 0; row < rows; ++row) {
      NUMBER sum = 0;
      for (Index place = 0; place < inner; ++place)
        sum += *(const NUMBER *)(left->base + place * left->dimensions[0].stride + row * left->dimensions[1].stride) *
               *(const NUMBER *)(right->base + place * right->dimensions[0].stride + column * right_column);
      *(NUMBER *)(result->base + (column * rows + row) * (Index)sizeof(NUMBER)) = sum;
    }
}
