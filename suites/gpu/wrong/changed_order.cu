// assay check changed_order.cu --function chain --launch '<<<1,64>>>' --arg 'double[64]' --arg 'double[64]'
// Each thread reads what its neighbour has written, or has not written yet.

__global__ void chain(const double *in, double *out) {
  const int i = threadIdx.x;
  out[i] = in[i] + (i > 0 ? 0.5 * out[i - 1] : 0);
}
