// Shuffles of every kind, of doubles as two words, at distances of a loop, of a lane and of constants.
#include "core/test/device/kernel.h"

union U {
  double d;
  struct {
    int a, b;
  } w;
};
#define SH(name, builtin, C)                                                                                           \
  __device__ __forceinline__ double name(double v, int o, int width) {                                                 \
    U u;                                                                                                               \
    u.d = v;                                                                                                           \
    u.w.a = builtin(0xffffffff, u.w.a, o, ((32 - width) << 8) | C);                                                    \
    u.w.b = builtin(0xffffffff, u.w.b, o, ((32 - width) << 8) | C);                                                    \
    return u.d;                                                                                                        \
  }
SH(down, __nvvm_shfl_sync_down_i32, 0x1f)
SH(up, __nvvm_shfl_sync_up_i32, 0)
SH(bfly, __nvvm_shfl_sync_bfly_i32, 0x1f)
SH(idx, __nvvm_shfl_sync_idx_i32, 0x1f) __device__ void body(const double *x, double *y, int n) {
  int i = GI, l = tid_x % 32;
  double v = x[i] * x[i];
  for (int o = 16; o > 0; o >>= 1)
    v += down(v, o, 32) * 0.3;
  double a = bfly(v, 5, 32) * x[i];
  double b = up(a, 3, 16) * a;
  double c = idx(b, (l * 7 + 3) % 32, 32) * v + idx(b, 0, 8);
  double s = c;
  for (int o = 1; o < 32; o <<= 1) {
    double t = up(s, o, 32);
    if (l >= o)
      s += t * x[(i + o) % n];
  }
  double d = down(s, l % 3, 32) * bfly(s, l & 4, 16);
  y[i] = __nv_sin(d * 1e-9) + s * 1e-4;
}
KERNELS(double)
