// assay check black_scholes.cu --function black_scholes --launch '<<<3,32>>>' --arg 'double[90]:(50,150)' --arg 'double[90]:(60,140)' --arg 'double[90]:(0.2,2)' --arg 'double[90]' --arg 'double[90]' --arg 'double:(0.01,0.08)' --arg 'double:(0.1,0.6)' --arg int=90
// Prices of European options; the cumulative normal distribution by the error function. A loop over the grid.

__device__ double normal(double x) {
  return 0.5 * erfc(-x * rsqrt(2.0));
}

__global__ void black_scholes(const double *price, const double *strike, const double *years, double *call, double *put,
                              double rate, double volatility, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double spread = volatility * sqrt(years[i]);
    const double d1 = (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread;
    const double d2 = d1 - spread;
    const double discounted = strike[i] * exp(-rate * years[i]);
    call[i] = price[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - price[i] * normal(-d1);
  }
}
