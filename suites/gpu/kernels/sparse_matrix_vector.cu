// assay check sparse_matrix_vector.cu --function sparse_matrix_vector --launch '<<<2,16>>>' --arg 'double[72]' --arg 'int[72]=0..39' --arg 'int[25]=0,3,5,9,9,12,17,18,22,25,28,30,33,36,40,41,44,47,50,54,57,60,66,68,72' --arg 'double[40]' --arg 'double[24]' --arg int=24
// y = A x, a thread for each row of a matrix in compressed sparse rows, one of them empty.

__global__ void sparse_matrix_vector(const double *values, const int *columns, const int *starts, const double *x,
                                     double *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
