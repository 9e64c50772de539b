// assay check gram_schmidt.cu --function gram_schmidt --launch '<<<1,8>>>' --arg 'double[8x4x3]' --arg 'double[8x3x3]' --arg 'double[8x4x3]' --arg int=8
// A factorisation for each thread, in triangles of loops. Its buffers may lie behind one another in any order: the bits
// of the gradient are the same.
#include <cuda_runtime.h>

template <int rows, int columns>
__device__ void factorise(const double (*a)[columns], double (*r)[columns], double (*q)[columns]) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      q[i][j] = a[i][j];
  for (int k = 0; k < columns; ++k) {
    double square = 0;
    for (int i = 0; i < rows; ++i)
      square += q[i][k] * q[i][k];
    r[k][k] = sqrt(square);
    for (int i = 0; i < rows; ++i)
      q[i][k] /= r[k][k];
    for (int j = k + 1; j < columns; ++j) {
      double product = 0;
      for (int i = 0; i < rows; ++i)
        product += q[i][k] * q[i][j];
      r[k][j] = product;
      for (int i = 0; i < rows; ++i)
        q[i][j] -= product * q[i][k];
    }
  }
}

__global__ void gram_schmidt(const double *a, double *r, double *q, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    factorise<4, 3>((const double(*)[3])(a + 12 * i), (double(*)[3])(r + 9 * i), (double(*)[3])(q + 12 * i));
}
