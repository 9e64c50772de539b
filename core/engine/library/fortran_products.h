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

#define ELEMENT NUMBER
#define ADD_PRODUCT(sum, left, right) sum += (left) * (right)
#include "core/engine/library/fortran_matmul.h"

#define MATMUL(name) BODY_OF_MATMUL_(name, NAME)
#define BODY_OF_MATMUL_(first, second) BODY_OF_MATMUL__(first, second)
#define BODY_OF_MATMUL__(first, second) __asm__(#first #second #second)

#define MULTIPLY JOINED(Matmul, NAME)
void MULTIPLY(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line)
    MATMUL(_FortranAMatmul);
void MULTIPLY(Descriptor *result, const Descriptor *left, const Descriptor *right, const char *file, int line) {
  (void)file, (void)line;
  multiply_into_new(result, left, right);
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
