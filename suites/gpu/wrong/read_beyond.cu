// assay check read_beyond.cu --function stencil --launch '<<<4,64>>>' --arg 'double[256]' --arg 'double[256]' --arg int=256
// The last thread reads one number too many.

__global__ void stencil(const double *in, double *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    out[i] = 0.25 * in[i - 1] + 0.5 * in[i] + 0.25 * in[i + 1];
}
