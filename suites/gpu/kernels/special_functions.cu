// assay check special_functions.cu --function special_functions --launch '<<<2,32>>>' --arg 'double[64]:(0.05,0.95)' --arg 'double[64]' --arg int=64
// Functions that only the library of the device has.
#include <cuda_runtime.h>

__global__ void special_functions(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double a = x[i], b = x[(i + 1) % n], c = x[(i + 7) % n];
  double sine, cosine;
  sincospi(a * b, &sine, &cosine);
  y[i] = sinpi(a) * cospi(b) + sine / (2 + cosine) + norm3d(a, b, c) + rnorm3d(a, 1.0 + b, c) + norm4d(a, b, c, a * b) +
         rnorm4d(a, b, c, 2.0) + rhypot(a, 1.0 + c) + erfinv(a) * 0.25 + erfcinv(2 * b) + normcdfinv(c) + normcdf(b) +
         erfcx(a) + j0(a) * y0(1 + b) + j1(c) + y1(1 + a) + jn(3, a) * yn(2, 1 + b) + cyl_bessel_i0(a) +
         cyl_bessel_i1(c) * rsqrt(b) + rcbrt(1 + c);
}
