// Shuffles of numbers of 16 bits, alone and in pairs, of which a device moves words.
#include "core/test/device/kernel.h"

typedef _Float16 Pair __attribute__((ext_vector_type(2)));
__device__ int moved(int word, int distance) {
  return __nvvm_shfl_sync_bfly_i32(0xffffffff, word, distance, 0x1f);
}
__device__ _Float16 half(_Float16 value, int distance) {
  return __builtin_bit_cast(_Float16, (unsigned short)moved(__builtin_bit_cast(unsigned short, value), distance));
}
__device__ Pair pair(Pair value, int distance) {
  return __builtin_bit_cast(Pair, moved(__builtin_bit_cast(int, value), distance));
}
__device__ void body(const _Float16 *x, _Float16 *y) {
  int t = tid_x;
  Pair both = {x[t], x[(t + 1) % 32]};
  Pair others = pair(both * both, 1);
  y[t] = half(x[t] * x[t], 4) + others.x * others.y;
}
extern "C" __global__ void adjoints(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy) {
  __enzyme_autodiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
extern "C" __global__ void tangents(const _Float16 *x, _Float16 *dx, _Float16 *y, _Float16 *dy) {
  __enzyme_fwddiff<void>((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
