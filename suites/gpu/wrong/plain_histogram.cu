// assay check plain_histogram.cu --function histogram --launch '<<<4,64>>>' --arg 'double[256]' --arg 'double[16]'
// Threads add to bins that others add to, without atomics.

__global__ void histogram(const double *weights, double *bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins[i * 7 % 16] += weights[i];
}
