// assay check missing_barrier.cu --function block_sum --launch '<<<4,64>>>' --arg 'double[256]' --arg 'double[4]'
// A sum by halves whose threads do not wait for one another between the steps.

__global__ void block_sum(const double *values, double *sums) {
  __shared__ double part[64];
  part[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2)
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}
