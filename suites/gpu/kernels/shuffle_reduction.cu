// assay check shuffle_reduction.cu --function shuffle_reduction --launch '<<<2,96>>>' --arg 'float[180]' --arg 'float[180]' --arg 'float[2]' --arg int=180
// The dot product of each block's numbers: shuffles within a warp, then the first warp adds up what the others found.

__device__ float warp_sum(float value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

__global__ void shuffle_reduction(const float *x, const float *y, float *sums, int n) {
  __shared__ float of_warp[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  float sum = warp_sum(i < n ? x[i] * y[i] : 0);
  if (lane == 0)
    of_warp[warp] = sum;
  __syncthreads();
  if (warp > 0)
    return;
  sum = warp_sum(lane < blockDim.x / warpSize ? of_warp[lane] : 0);
  if (lane == 0)
    sums[blockIdx.x] = sum;
}
