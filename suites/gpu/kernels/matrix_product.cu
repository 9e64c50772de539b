// assay check matrix_product.cu --function matrix_product --launch '<<<(3,2),(8,8)>>>' --arg 'double[14x18]' --arg 'double[18x20]' --arg 'double[14x20]' --arg int=14 --arg int=18 --arg int=20
// C = A B, a tile of C for each block, from tiles of A and B in shared memory. The sizes need not be multiples of the tile.

constexpr int tile = 8;

__global__ void matrix_product(const double *a, const double *b, double *c, int rows, int inner, int columns) {
  __shared__ double tile_a[tile][tile];
  __shared__ double tile_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  double sum = 0;
  for (int start = 0; start < inner; start += tile) {
    const int k_a = start + threadIdx.x;
    const int k_b = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < rows && k_a < inner ? a[row * inner + k_a] : 0;
    tile_b[threadIdx.y][threadIdx.x] = k_b < inner && column < columns ? b[k_b * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}
