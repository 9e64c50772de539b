// assay check stencil_global.cu --function stencil_global --launch '<<<(3,2),(8,8)>>>' --arg 'double[14x20]' --arg 'double[14x20]' --arg double --arg int=20 --arg int=14
// One step of the heat equation on a plate whose edge is kept: five points, read from global memory.

__global__ void stencil_global(const double *u, double *next, double diffusion, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    next[i] = u[i];
    return;
  }
  const double laplacian = u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i];
  next[i] = u[i] + diffusion * laplacian;
}
