// assay check bitonic_sort.cu --function bitonic_sort --launch '<<<3,64>>>' --arg 'double[3x64]'
// Each block sorts its 64 numbers by Batcher's network in shared memory.

__global__ void bitonic_sort(double *numbers) {
  __shared__ double sorted[64];
  const int t = threadIdx.x;
  double *own = numbers + blockIdx.x * blockDim.x;
  sorted[t] = own[t];
  __syncthreads();
  for (int length = 2; length <= blockDim.x; length *= 2)
    for (int distance = length / 2; distance > 0; distance /= 2) {
      const int partner = t ^ distance;
      if (partner > t) {
        const bool ascending = (t & length) == 0;
        const double a = sorted[t];
        const double b = sorted[partner];
        if ((a > b) == ascending) {
          sorted[t] = b;
          sorted[partner] = a;
        }
      }
      __syncthreads();
    }
  own[t] = sorted[t];
}
