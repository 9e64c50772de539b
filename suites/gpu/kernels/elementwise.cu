// assay check elementwise.cu --function elementwise --launch '<<<3,64>>>' --arg 'double[180]:positive' --arg 'double[180]' --arg int=180
// Functions of the device library, applied to numbers one by one.

__device__ double activation(double x) {
  const double gelu = 0.5 * x * (1 + erf(x * rsqrt(2.0)));
  const double softplus = log1p(exp(-fabs(x))) + fmax(x, 0.0);
  return gelu + softplus * tanh(x) + atan2(sin(x), 1.5 + cos(x));
}

__global__ void elementwise(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double v = x[i];
  y[i] = activation(v) + pow(v, 1.7) + cbrt(v) + hypot(v, 0.3) + normcdf(v) + fma(v, expm1(-v), sinpi(v));
}
