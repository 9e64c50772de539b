// assay check float_overloads.cu --function float_overloads --launch '<<<2,32>>>' --arg 'float[64]:(0.05,0.95)' --arg 'double[64]' --arg int=64
// The names of the mathematical library for numbers of single precision, and minima and maxima of all kinds of numbers.
#include <cuda_runtime.h>

__global__ void float_overloads(const float *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float a = x[i], b = x[(i + 1) % n], c = x[(i + 7) % n];
  const float elementary =
      acosh(1 + a) + asinh(b) + atanh(c / 2) + cbrt(1 + a) + exp2(b) + expm1(c) + log1p(a) + log2(1 + b);
  const float special = erf(a) + erfc(b) + lgamma(1 + c) + tgamma(1 + a) + hypot(a, b) + fma(a, b, c) + exp10(a);
  const float pieces = round(3 * a) + trunc(3 * b) + rint(3 * c) + nearbyint(a) + copysign(a, -b) + fdim(a, b) +
                       logb(c) + remainder(2 * a, 1.5f) + scalbn(c, 2) + fmax(a, b) * fmin(b, c);
  const double first = a, second = b;
  y[i] = elementary + special + pieces + max(first, 0.25) * min(second, 0.75) + max(a, 0.5f) + min(b, second * c) +
         max(max(2u, 3u), i) * first;
}
