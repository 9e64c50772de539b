// Doubles that go to other lanes as two words, which one of two branches moves and which meet behind them: so does
// cooperative_groups.h of the toolkit.
#include "core/test/device/kernel.h"

__device__ int low_word(double x) {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return (int)bits;
}
__device__ int high_word(double x) {
  long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return (int)(bits >> 32);
}
__device__ double of_words(int low, int high) {
  const long long bits = (long long)high << 32 | (unsigned)low;
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/// The squares of the lane before; of another lane in odd blocks.
__device__ double from_another(double x, bool odd) {
  int low = low_word(x * x), high = high_word(x * x);
  if (odd) {
    low = __nvvm_shfl_sync_idx_i32(-1, low, (tid_x + 5) & 31, 31);
    high = __nvvm_shfl_sync_idx_i32(-1, high, (tid_x + 5) & 31, 31);
  } else {
    low = __nvvm_shfl_sync_down_i32(-1, low, 1, 31);
    high = __nvvm_shfl_sync_down_i32(-1, high, 1, 31);
  }
  return of_words(low, high);
}

__device__ void body(const double *x, double *y, int n) {
  const int i = GI;
  y[i] = from_another(x[i], ctaid_x % 2) * x[(i + 1) % n];
}
KERNELS(double)
