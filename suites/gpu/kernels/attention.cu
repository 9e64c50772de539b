// assay check attention.cu --function attention --launch '<<<2,16>>>' --arg 'double[24x8]' --arg 'double[32x8]' --arg 'double[32x8]' --arg 'double[24x8]' --arg int=24 --arg int=32
// One head of attention: a thread for each query goes through tiles of keys and values in shared memory once, and scales
// what it has so far whenever the largest score grows.

constexpr int width = 8;
constexpr int tile = 16;

__global__ void attention(const double *queries, const double *keys, const double *values, double *out, int n_queries,
                          int n_keys) {
  __shared__ double tile_keys[tile][width];
  __shared__ double tile_values[tile][width];
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  double q[width];
  double weighted[width];
  for (int d = 0; d < width; ++d) {
    q[d] = query < n_queries ? queries[query * width + d] * rsqrt(double(width)) : 0;
    weighted[d] = 0;
  }
  double largest = -INFINITY;
  double sum = 0;
  for (int start = 0; start < n_keys; start += tile) {
    for (int i = threadIdx.x; i < tile * width; i += blockDim.x) {
      const int row = i / width;
      const int column = i % width;
      const bool inside = start + row < n_keys;
      tile_keys[row][column] = inside ? keys[start * width + i] : 0;
      tile_values[row][column] = inside ? values[start * width + i] : 0;
    }
    __syncthreads();
    for (int k = 0; k < tile && start + k < n_keys; ++k) {
      double score = 0;
      for (int d = 0; d < width; ++d)
        score += q[d] * tile_keys[k][d];
      const double grown = fmax(largest, score);
      const double shrink = exp(largest - grown);
      const double weight = exp(score - grown);
      sum = sum * shrink + weight;
      for (int d = 0; d < width; ++d)
        weighted[d] = weighted[d] * shrink + weight * tile_values[k][d];
      largest = grown;
    }
    __syncthreads();
  }
  if (query < n_queries)
    for (int d = 0; d < width; ++d)
      out[query * width + d] = weighted[d] / sum;
}
