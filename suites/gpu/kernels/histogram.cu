// assay check histogram.cu --function histogram --launch '<<<3,64>>>' --arg 'double[180]' --arg 'int[180]=0..15' --arg 'double[16]' --arg int=180
// The weights that fall into each of sixteen bins: sums of the block by atomics in shared memory, then of all blocks.

constexpr int bins = 16;

__global__ void histogram(const double *weights, const int *bin, double *sums, int n) {
  __shared__ double of_block[bins];
  if (threadIdx.x < bins)
    of_block[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&of_block[bin[i]], weights[i] * weights[i]);
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&sums[threadIdx.x], of_block[threadIdx.x]);
}
