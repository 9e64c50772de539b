// assay check cas_maximum.cu --function cas_maximum --launch '<<<2,32>>>' --arg 'double[64]' --arg 'double[2]'
// A maximum of each block by compare-and-swap, which begins with what a plain read finds.
#include <cuda_runtime.h>

__device__ double atomic_maximum(double *place, double value) {
  auto *bits = (unsigned long long *)place;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    if (__longlong_as_double(assumed) >= value)
      break;
    old = atomicCAS(bits, assumed, __double_as_longlong(value));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void cas_maximum(const double *x, double *largest) {
  __shared__ double maximum;
  if (threadIdx.x == 0)
    maximum = -10;
  __syncthreads();
  const double v = x[blockIdx.x * blockDim.x + threadIdx.x];
  atomic_maximum(&maximum, v * v * v);
  __syncthreads();
  if (threadIdx.x == 0)
    largest[blockIdx.x] = maximum;
}
