// assay check table_look_up.cu --function table_look_up --launch '<<<3,32>>>' --arg 'double[33]:sorted' --arg 'double[33]' --arg 'double[80]' --arg 'double[80]' --arg int=33 --arg int=80
// A piecewise linear function from a table: the interval of each number by binary search, and the straight line in it.

__device__ int interval_of(const double *knots, int count, double x) {
  int low = 0;
  int high = count - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (knots[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

__global__ void table_look_up(const double *knots, const double *table, const double *x, double *y, int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int k = interval_of(knots, count, x[i]);
  const double t = (x[i] - knots[k]) / (knots[k + 1] - knots[k]);
  y[i] = (1 - t) * table[k] + t * table[k + 1];
}
