// assay check same_place.cu --function total --launch '<<<1,64>>>' --arg 'double[64]' --arg 'double[1]'
// Every thread leaves its number in one place: which one stays, the order of the threads says.

__global__ void total(const double *in, double *out) {
  if (in[threadIdx.x] != 0)
    out[0] = in[threadIdx.x];
}
