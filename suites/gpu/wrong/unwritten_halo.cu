// assay check unwritten_halo.cu --function smooth --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[128]'
// The places of a tile beside its ends are read, but no thread writes them.

__global__ void smooth(const double *in, double *out) {
  __shared__ double tile[66];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x + 1] = in[i];
  __syncthreads();
  out[i] = 0.5 * tile[threadIdx.x] + 0.5 * tile[threadIdx.x + 2];
}
