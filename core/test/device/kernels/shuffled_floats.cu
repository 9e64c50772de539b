// Shuffles of floats, also of a part of the warp.
#include "core/test/device/kernel.h"

__device__ float wsum(unsigned m, float v) {
  for (int o = 16; o > 0; o >>= 1)
    v += __nvvm_shfl_sync_bfly_f32(m, v, o, 0x1f);
  return v;
}
__device__ void body(const float *x, float *y, int n) {
  __shared__ float part[2];
  int i = GI, l = tid_x % 32;
  float v = x[i] * x[i];
  float s = wsum(0xffffffff, v);
  if (l == 0)
    part[tid_x / 32] = s;
  __syncthreads();
  float t = part[0] * part[1];
  unsigned m = __nvvm_vote_ballot_sync(0xffffffff, l < 13);
  float r = v;
  if (l < 13)
    r = __nvvm_shfl_sync_idx_f32(m, v * v, 5, 0x1f) + v;
  y[i] = r / s + t * 0.01f * x[i];
}
KERNELS(float)
