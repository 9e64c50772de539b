// assay check lu_solve.cu --function lu_solve --launch '<<<1,32>>>' --arg 'double[20x4x4]' --arg 'double[20x4]' --arg 'double[20x4]' --arg int=20
// Many systems of four equations, one for each thread: elimination with partial pivoting in local memory.

constexpr int size = 4;

__device__ void exchange(double &a, double &b) {
  const double kept = a;
  a = b;
  b = kept;
}

__global__ void lu_solve(const double *matrices, const double *right_sides, double *solutions, int systems) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems)
    return;
  double a[size][size];
  double x[size];
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column)
      a[row][column] = matrices[(system * size + row) * size + column];
    x[row] = right_sides[system * size + row];
  }
  for (int k = 0; k < size; ++k) {
    int pivot = k;
    for (int row = k + 1; row < size; ++row)
      if (fabs(a[row][k]) > fabs(a[pivot][k]))
        pivot = row;
    if (pivot != k) {
      for (int column = 0; column < size; ++column)
        exchange(a[k][column], a[pivot][column]);
      exchange(x[k], x[pivot]);
    }
    for (int row = k + 1; row < size; ++row) {
      const double factor = a[row][k] / a[k][k];
      for (int column = k; column < size; ++column)
        a[row][column] -= factor * a[k][column];
      x[row] -= factor * x[k];
    }
  }
  for (int row = size - 1; row >= 0; --row) {
    for (int column = row + 1; column < size; ++column)
      x[row] -= a[row][column] * x[column];
    x[row] /= a[row][row];
    solutions[system * size + row] = x[row];
  }
}
