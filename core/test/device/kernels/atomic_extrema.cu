// Maxima, minima and exchanges by atomics: of numbers, of their bits, and by compare-and-swap.
#include "core/test/device/kernel.h"

using Bits = unsigned long long;
__device__ Bits swap(Bits *place, Bits assumed, Bits desired) {
  __scoped_atomic_compare_exchange_n(place, &assumed, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return assumed;
}
__device__ double number(Bits bits) {
  return __builtin_bit_cast(double, bits);
}
__device__ Bits bits(double number) {
  return __builtin_bit_cast(Bits, number);
}

__device__ double maximum_by_fmax(double *place, double value) {
  Bits old = *(Bits *)place, assumed;
  do {
    assumed = old;
    old = swap((Bits *)place, assumed, bits(__builtin_fmax(value, number(assumed))));
  } while (old != assumed);
  return number(old);
}

__device__ void minimum_unless_smaller(double *place, double value) {
  Bits old = *(Bits *)place, assumed;
  do {
    assumed = old;
    if (number(assumed) <= value)
      break;
    old = swap((Bits *)place, assumed, bits(value));
  } while (old != assumed);
}

__device__ void maximum_by_choice(double *place, double value) {
  Bits old = *(Bits *)place, assumed;
  do {
    assumed = old;
    old = swap((Bits *)place, assumed, bits(value > number(assumed) ? value : number(assumed)));
  } while (old != assumed);
}

__device__ void body(const double *x, double *y, int n) {
  __shared__ double largest, smallest, by_bits, by_swaps, by_swaps_too, by_choice, own[64];
  __shared__ double bins[4];
  int i = GI;
  if (tid_x == 0) {
    largest = -1;
    smallest = x[5] * 0.1 + 100;
    by_bits = 0;
    by_swaps = 0;
    by_swaps_too = 1000;
    by_choice = 0.2;
  }
  if (tid_x < 4)
    bins[tid_x] = y[tid_x] * 0.001;
  own[tid_x] = y[i];
  __syncthreads();
  const double value = x[i] * x[(i + 3) % n];
  __scoped_atomic_fetch_max(&largest, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_min(&smallest, value * __nv_sin(x[i]), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_max((long long *)&by_bits, __builtin_bit_cast(long long, value * value), __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  maximum_by_fmax(&by_swaps, x[i] * value);
  maximum_by_choice(&by_choice, x[i] * x[(i + 9) % n]);
  if (tid_x % 2)
    minimum_unless_smaller(&by_swaps_too, x[i] + value);
  for (int k = 0; k < 3; ++k)
    __scoped_atomic_fetch_max(&bins[(i + k) % 4], x[i] * x[(i + k) % n], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  const double old = __builtin_bit_cast(
      double, __scoped_atomic_exchange_n((Bits *)&own[tid_x], bits(value * x[0]), __ATOMIC_RELAXED,
                                         __MEMORY_SCOPE_DEVICE));
  __syncthreads();
  y[i] = x[i] * largest + x[(i + 1) % n] * smallest * smallest + by_bits * value + by_swaps * by_swaps_too * x[i] +
         bins[i % 4] * x[i] + old * by_choice + own[63 - tid_x];
}
KERNELS(double)
