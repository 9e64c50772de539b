// assay check stencil_shared.cu --function stencil_shared --launch '<<<4,64>>>' --arg 'float[250]' --arg 'float[7]' --arg 'float[250]' --arg int=250
// A filter of seven weights over numbers that each block loads into shared memory once, with a margin on both sides.

constexpr int radius = 3;
constexpr int threads = 64;

__global__ void stencil_shared(const float *in, const float *weights, float *out, int n) {
  __shared__ float tile[threads + 2 * radius];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x + radius;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < radius) {
    const int left = i - radius;
    const int right = i + threads;
    tile[t - radius] = left >= 0 ? in[left] : 0;
    tile[t + threads] = right < n ? in[right] : 0;
  }
  __syncthreads();
  if (i >= n)
    return;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    sum += weights[k + radius] * tile[t + k];
  out[i] = sum * sum;
}
