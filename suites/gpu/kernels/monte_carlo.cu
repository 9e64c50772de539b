// assay check monte_carlo.cu --function monte_carlo --launch '<<<2,32>>>' --arg 'double:(90,110)' --arg 'double:(90,110)' --arg 'double:(0.01,0.08)' --arg 'double:(0.1,0.4)' --arg 'double[2]' --arg int=4 --arg int=8 --arg int=7
// The price of an Asian option by Monte Carlo: paths of a geometric Brownian motion, whose normal numbers come from
// Philox 4x32-10 (Salmon and others, 2011), so that each path is the same in whatever order threads run.

__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned high_0 = __umulhi(0xD2511F53u, counter.x);
    const unsigned low_0 = 0xD2511F53u * counter.x;
    const unsigned high_1 = __umulhi(0xCD9E8D57u, counter.z);
    const unsigned low_1 = 0xCD9E8D57u * counter.z;
    counter = make_uint4(high_1 ^ counter.y ^ key.x, low_1, high_0 ^ counter.w ^ key.y, low_0);
    key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
  }
  return counter;
}

__device__ double uniform(unsigned bits) {
  return (bits + 0.5) / 4294967296.0;
}

__device__ double normal(unsigned first, unsigned second) {
  return sqrt(-2 * log(uniform(first))) * cospi(2 * uniform(second));
}

__global__ void monte_carlo(double price, double strike, double rate, double volatility, double *sums, int paths,
                            int steps, unsigned seed) {
  __shared__ double of_block[32];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const double step = 1.0 / steps;
  double sum = 0;
  for (int path = 0; path < paths; ++path) {
    double current = price;
    double mean = 0;
    for (int i = 0; i < steps; ++i) {
      const uint4 bits = philox(make_uint4(thread, path, i, 0), make_uint2(seed, 0));
      const double z = normal(bits.x, bits.y);
      current *= exp((rate - 0.5 * volatility * volatility) * step + volatility * sqrt(step) * z);
      mean += current / steps;
    }
    sum += fmax(mean - strike, 0.0);
  }
  of_block[threadIdx.x] = sum * exp(-rate) / paths;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      of_block[threadIdx.x] += of_block[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = of_block[0];
}
