// Sums and differences by loops of compare-and-swap, in global and in shared memory, in the forms that programs have.
#include "core/test/device/kernel.h"

using Word = unsigned long long;
__device__ Word swap(Word *place, Word expected, Word desired) {
  __scoped_atomic_compare_exchange_n(place, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return expected;
}
__device__ double add(double *place, double value) {
  Word *bits = (Word *)place, old = *bits, assumed;
  do {
    assumed = old;
    old = swap(bits, assumed, __builtin_bit_cast(Word, value + __builtin_bit_cast(double, assumed)));
  } while (assumed != old);
  return __builtin_bit_cast(double, old);
}
__device__ void subtract(double *place, double value) {
  long long *bits = (long long *)place, old;
  do
    old = *(volatile long long *)bits;
  while (__nvvm_atom_cas_gen_ll(bits, old, __builtin_bit_cast(long long, __builtin_bit_cast(double, old) - value)) !=
         old);
}
__device__ void add_until(double *place, double value) {
  double seen = *place, sum;
  do
    sum = seen + value;
  while (!__scoped_atomic_compare_exchange(place, &seen, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE));
}
__device__ void body(const double *x, double *y, int n) {
  __shared__ double s[2];
  int t = tid_x, i = GI;
  if (t < 2)
    s[t] = 0;
  __syncthreads();
  add(&s[t % 2], x[i] * x[i]);
  __syncthreads();
  subtract(&y[i % 5], x[i] * s[0] * 1e-2);
  add_until(&y[7 + i % 3], __nv_sin(x[i]) * s[1]);
  if (i % 2)
    add(y + 100, x[i] * x[(i + 3) % n]);
}
KERNELS(double)
