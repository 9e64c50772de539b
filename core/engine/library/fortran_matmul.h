// Products of a matrix and a matrix or a vector, of numbers of type ELEMENT; ADD_PRODUCT(sum, left, right) adds one
// product.

/// Into memory that is there.
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
      ELEMENT sum = {0};
      for (Index place = 0; place < inner; ++place)
        ADD_PRODUCT(sum, *(const ELEMENT *)(left->base + row * left_row + place * left_inner),
                    *(const ELEMENT *)(right->base + place * right_inner + column * right_column));
      *(ELEMENT *)(result->base + row * result_row + column * result_column) = sum;
    }
}

/// Into memory that this function allocates.
static inline void multiply_into_new(Descriptor *result, const Descriptor *left, const Descriptor *right) {
  begin_result(result, left, left->rank + right->rank - 2);
  int dimension = 0;
  if (left->rank == 2)
    set_extent(result, dimension++, left->dimensions[0].extent);
  if (right->rank == 2)
    set_extent(result, dimension, right->dimensions[1].extent);
  allocate(result);
  multiply(result, left, right);
}
