// Prints how many derivatives of kernels that reach memory through pointers in memory differ from differences.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
#include <utility>
using namespace assay;

constexpr int count = 6, width = 2;

// Writes to what it reads, so that the reverse sweep needs what was there before each launch.
__device__ void mix(double **rows, const double *factors) {
  const int i = threadIdx.x;
  for (int r = 0; r < 2; ++r)
    rows[r][i] = rows[r][i] * rows[r][i] * factors[r] + rows[1 - r][i];
}
__global__ void mix_kernel(double **rows, const double *factors) {
  mix(rows, factors);
}
ASSAY_LAUNCH(mix_kernel, mix);

struct State {
  double *position, *speed;
  double step;
  int count;
};
__device__ void advance(State *state) {
  const int i = threadIdx.x;
  if (i >= state->count)
    return;
  state->speed[i] -= state->step * sin(state->position[i]);
  state->position[i] += state->step * state->speed[i];
}
__global__ void advance_kernel(State *state) {
  advance(state);
}
ASSAY_LAUNCH(advance_kernel, advance);

double run(const double *in) {
  double *x = nullptr, *y = nullptr, *factors = nullptr, **rows = nullptr;
  State *state = nullptr;
  const std::size_t bytes = width * sizeof(double);
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&factors, bytes);
  cudaMallocManaged((void **)&rows, 2 * sizeof(double *));
  cudaMallocManaged((void **)&state, sizeof(State));
  cudaMemcpy(x, in, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(y, in + 2, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(factors, in + 4, bytes, cudaMemcpyHostToDevice);
  rows[0] = x;
  rows[1] = y;
  for (int t = 0; t < 3; ++t) {
    mix_kernel<<<1, width>>>(rows, factors);
    cudaDeviceSynchronize();
    std::swap(rows[0], rows[1]);
  }
  state->position = x;
  state->speed = y;
  state->count = width;
  for (int t = 0; t < 3; ++t) {
    state->step = 0.1 * (t + 1) * in[5];
    advance_kernel<<<1, 4>>>(state);
    cudaDeviceSynchronize();
  }
  double positions[width], speeds[width], sum = 0;
  cudaMemcpy(positions, x, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(speeds, y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(factors);
  cudaFree(rows);
  cudaFree(state);
  for (int i = 0; i < width; ++i)
    sum += (i + 1) * positions[i] * speeds[i];
  return sum;
}

int main() {
  double x[count], gradient[count] = {};
  for (int i = 0; i < count; ++i)
    x[i] = 0.5 + 0.2 * std::sin(1.7 * i + 0.3);
  autodiff<Reverse>(run, Duplicated{(const double *)x, (double *)gradient});
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    double direction[count] = {};
    direction[i] = 1;
    const double tangent = autodiff<Forward>(run, Duplicated{(const double *)x, (const double *)direction}).derivative;
    const double h = 1e-6, at = x[i];
    x[i] = at + h;
    const double above = run(x);
    x[i] = at - h;
    const double difference = (above - run(x)) / (2 * h);
    x[i] = at;
    for (const double derivative : {gradient[i], tangent})
      if (!(std::fabs(derivative - difference) <= 1e-6 * (1 + std::fabs(difference)))) {
        std::printf("x[%d]: %g, should be %g\n", i, derivative, difference);
        ++wrong;
      }
  }
  std::printf("wrong %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
