// assay check lattice_boltzmann.cu --function lattice_boltzmann --launch '<<<(2,2),(8,4)>>>' --arg 'double[9x7x12]:(0.5,1.5)' --arg 'double[9x7x12]' --arg 'double:(0.6,1.8)' --arg int=12 --arg int=7
// One step of a D2Q9 lattice that is periodic: collision with a single relaxation rate, and each population moves on.

constexpr int directions = 9;
__constant__ int step_x[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int step_y[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[directions] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

__global__ void lattice_boltzmann(const double *in, double *out, double rate, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int sites = width * height;
  double population[directions];
  double density = 0, momentum_x = 0, momentum_y = 0;
  for (int q = 0; q < directions; ++q) {
    population[q] = in[q * sites + y * width + x];
    density += population[q];
    momentum_x += step_x[q] * population[q];
    momentum_y += step_y[q] * population[q];
  }
  const double ux = momentum_x / density;
  const double uy = momentum_y / density;
  const double square = 1.5 * (ux * ux + uy * uy);
  for (int q = 0; q < directions; ++q) {
    const double along = 3 * (step_x[q] * ux + step_y[q] * uy);
    const double equilibrium = weight[q] * density * (1 + along + 0.5 * along * along - square);
    const int to_x = (x + step_x[q] + width) % width;
    const int to_y = (y + step_y[q] + height) % height;
    out[q * sites + to_y * width + to_x] = population[q] + rate * (equilibrium - population[q]);
  }
}
