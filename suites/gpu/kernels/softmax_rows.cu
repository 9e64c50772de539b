// assay check softmax_rows.cu --function softmax_rows --launch '<<<6,32>>>' --arg 'double[6x50]' --arg 'double[6x50]' --arg int=50
// The softmax of each row of a matrix, a block for each: its maximum and its sum by halves in shared memory.

__device__ double block_maximum(double value, double *shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] = fmax(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__device__ double block_sum(double value, double *shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double result = shared[0];
  __syncthreads();
  return result;
}

__global__ void softmax_rows(const double *in, double *out, int columns) {
  __shared__ double shared[32];
  const double *row = in + blockIdx.x * columns;
  double *result = out + blockIdx.x * columns;
  double maximum = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    maximum = fmax(maximum, row[i]);
  maximum = block_maximum(maximum, shared);
  double sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += exp(row[i] - maximum);
  sum = block_sum(sum, shared);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    result[i] = exp(row[i] - maximum) / sum;
}
