// Vectors of four floats, structs, recursion, and messages that never come.
#include "core/test/device/kernel.h"

typedef float f4 __attribute__((ext_vector_type(4)));
struct V {
  float x, y, z, w;
};
__device__ float rec(float v, int k) {
  return k == 0 ? v : v * rec(v * 0.9f, k - 1);
}
__device__ void body(const float *x, float *y, int n) {
  int i = GI;
  if (i >= n / 4)
    return;
  f4 v = ((const f4 *)x)[i];
  if (v.x < -100) {
    vprintf("bad", nullptr);
    __assertfail("a", "b", 1, "c", 1);
  }
  V s{v.x, v.y * v.z, v.w, rec(v.x, i % 3)};
  f4 r = {s.x * s.y, s.z * s.z, s.w, v.x + v.y};
  ((f4 *)y)[i] = r * r;
}
KERNELS(float)
