// assay check block_maximum.cu --function block_maximum --launch '<<<3,64>>>' --arg 'double[192]' --arg 'double[192]' --arg int=192
// A softmax whose block-wide maximum is found by compare-and-swap in shared memory, and whose sum by atomics.
#include <cuda_runtime.h>

constexpr double least = -1e30;

/// The first guess is what the place holds before the first maximum; a swap that fails tells what it really holds.
__device__ void atomic_maximum(double *place, double value) {
  auto *bits = reinterpret_cast<unsigned long long *>(place);
  unsigned long long old = __double_as_longlong(least), assumed;
  do {
    assumed = old;
    if (__longlong_as_double(assumed) >= value)
      break;
    old = atomicCAS(bits, assumed, __double_as_longlong(value));
  } while (old != assumed);
}

/// Of positive numbers, which have the order of their bits.
__device__ void atomic_minimum(double *place, double value) {
  atomicMin(reinterpret_cast<long long *>(place), __double_as_longlong(value));
}

__global__ void block_maximum(const double *x, double *y, int n) {
  __shared__ double largest, smallest, sum;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    largest = least;
    smallest = 1e30;
    sum = 0;
  }
  __syncthreads();
  if (i < n) {
    atomic_maximum(&largest, x[i]);
    atomic_minimum(&smallest, x[i] * x[i] + 0.25);
  }
  __syncthreads();
  const double power = i < n ? exp(x[i] - 0.5 * largest) : 0.0;
  atomicAdd(&sum, power);
  __syncthreads();
  if (i < n)
    y[i] = power / sum + smallest * x[i];
}
