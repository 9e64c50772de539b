// Shuffles of members of a vector, one of them as an integer, and of a number of 16 bits.
#include "core/test/device/kernel.h"

typedef float f4 __attribute__((ext_vector_type(4)));
__device__ int moved(int word, int distance) {
  return __nvvm_shfl_sync_bfly_i32(0xffffffff, word, distance, 0x1f);
}
__device__ float number(float value, int distance) {
  return __builtin_bit_cast(float, moved(__builtin_bit_cast(int, value), distance));
}
__device__ _Float16 half(_Float16 value, int distance) {
  return __builtin_bit_cast(_Float16, (unsigned short)moved(__builtin_bit_cast(unsigned short, value), distance));
}
__device__ void body(const float *x, float *y, int n) {
  int i = GI;
  const float exact = (float)half((_Float16)(i % 8 + 1), 5); // a half holds it: differences see no rounding
  f4 v = ((const f4 *)x)[i % (n / 4)];
  v.x = number(v.x * v.y, 3) * exact;
  v.w = __nvvm_shfl_sync_down_f32(0xffffffff, v.w * v.z, 2, 0x1f);
  y[i] = v.x + v.w * v.y;
}
KERNELS(float)
