// assay check tree_reduction.cu --function tree_reduction --launch '<<<3,64>>>' --arg 'double[300]' --arg 'double[3]' --arg int=300
// The sum of squares of each block's numbers: two for each thread, then halves in shared memory.

__global__ void tree_reduction(const double *x, double *sums, int n) {
  __shared__ double partial[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x * 2 + t;
  const double first = i < n ? x[i] : 0;
  const double second = i + blockDim.x < n ? x[i + blockDim.x] : 0;
  partial[t] = first * first + second * second;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = sqrt(partial[0]);
}
