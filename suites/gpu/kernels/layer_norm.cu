// assay check layer_norm.cu --function layer_norm --launch '<<<5,32>>>' --arg 'double[5x60]' --arg 'double[60]' --arg 'double[60]' --arg 'double[5x60]' --arg int=60
// Layer normalisation of the rows of a matrix, a block for each row, whose sums are added by exchange between lanes.

__device__ double warp_sum(double value) {
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffff, value, mask);
  return value;
}

__global__ void layer_norm(const double *in, const double *gain, const double *bias, double *out, int columns) {
  const double *row = in + blockIdx.x * columns;
  double sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += row[i];
  const double mean = warp_sum(sum) / columns;
  double squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    squares += (row[i] - mean) * (row[i] - mean);
  const double scale = rsqrt(warp_sum(squares) / columns + 1e-5);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}
