// assay check scan.cu --function scan --launch '<<<3,64>>>' --arg 'double[3x128]' --arg 'double[3x128]'
// Blelloch's exclusive prefix sums of 128 numbers in each block, up the tree and down again in shared memory.

constexpr int count = 128;

__global__ void scan(const double *in, double *out) {
  __shared__ double tree[count];
  const int t = threadIdx.x;
  const double *numbers = in + blockIdx.x * count;
  tree[2 * t] = numbers[2 * t] * numbers[2 * t];
  tree[2 * t + 1] = numbers[2 * t + 1] * numbers[2 * t + 1];
  int stride = 1;
  for (int active = count / 2; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) {
      const int left = stride * (2 * t + 1) - 1;
      const int right = stride * (2 * t + 2) - 1;
      tree[right] += tree[left];
    }
    stride *= 2;
  }
  if (t == 0)
    tree[count - 1] = 0;
  for (int active = 1; active < count; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < active) {
      const int left = stride * (2 * t + 1) - 1;
      const int right = stride * (2 * t + 2) - 1;
      const double moved = tree[left];
      tree[left] = tree[right];
      tree[right] += moved;
    }
  }
  __syncthreads();
  out[blockIdx.x * count + 2 * t] = tree[2 * t];
  out[blockIdx.x * count + 2 * t + 1] = tree[2 * t + 1];
}
