// Prints how many derivatives of a program that passes numbers on in variables of the device differ from differences.
#include <array>
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
using namespace assay;

constexpr int count = 8;

// Active, with a shadow: from the host to a kernel, from a kernel to the next, and back to the host.
__device__ double table[4], d_table[4];
__device__ void *__enzyme_shadow_global_table[] = {(void *)table, (void *)d_table};
__device__ double weights[2], d_weights[2];
__device__ void *__enzyme_shadow_global_weights[] = {(void *)weights, (void *)d_weights};
// Constants that are others in each launch.
__constant__ double scale[1];
__device__ double step;
__device__ int calls;

__global__ void halve_step() {
  step *= 0.5;
}
__device__ void square(const double *x, int n) {
  const int i = threadIdx.x;
  if (i < n)
    table[i] = x[i] * x[i] + 1;
}
__global__ void square_kernel(const double *x, int n) {
  square(x, n);
}
__device__ void combine(double *y) {
  const int i = threadIdx.x;
  if (i == 0)
    atomicAdd(&calls, 1);
  y[i] = scale[0] * table[i] * table[(i + 1) % 4] - step * weights[i % 2] * y[i] + calls * weights[1];
}
__global__ void combine_kernel(double *y) {
  combine(y);
}
ASSAY_LAUNCH_WITHOUT_DERIVATIVE(halve_step);
ASSAY_LAUNCH(square_kernel, square);
ASSAY_LAUNCH(combine_kernel, combine);

double run(const double *in) {
  double *x = nullptr, *y = nullptr;
  cudaMalloc(&x, 4 * sizeof(double));
  cudaMalloc(&y, 4 * sizeof(double));
  cudaMemcpy(x, in, 4 * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, 4 * sizeof(double));
  const double one = 1;
  const int none = 0;
  cudaMemcpyToSymbol(step, &one, sizeof one);
  cudaMemcpyToSymbol(calls, &none, sizeof none);
  cudaMemcpyToSymbol(weights, in + 6, 2 * sizeof(double));
  square_kernel<<<1, 4>>>(x, 4);
  double sum = 0;
  for (int t = 0; t < 3; ++t) {
    const double part[1] = {in[4 + t % 2] * (t + 1)}, factor = 1 + 0.25 * t;
    cudaMemcpyToSymbolAsync(table, part, sizeof part, t * sizeof(double), cudaMemcpyHostToDevice, nullptr);
    cudaMemcpyToSymbol(scale, &factor, sizeof factor);
    combine_kernel<<<1, 4>>>(y);
    halve_step<<<1, 1>>>();
    double back[2];
    int made = 0;
    cudaMemcpyFromSymbol(back, table, sizeof back, sizeof(double));
    cudaMemcpyFromSymbol(&made, calls, sizeof made);
    sum += made * back[0] * back[1];
  }
  double result[4];
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  for (int i = 0; i < 4; ++i)
    sum += (i + 1) * result[i] * result[i];
  return sum;
}

/// Several at once: the tables above have one shadow for each variable. Those of other lanes are not the program's.
int differences_of_lanes(const double *x, const double *gradient) {
  int wrong = 0;
  double first[count] = {}, second[count] = {}, third[count] = {};
  autodiff<Reverse>(run, Seed{std::array{2.0, 1.0, -0.5}},
                    BatchDuplicated{x, std::array{(double *)first, (double *)second, (double *)third}});
  for (int i = 0; i < count; ++i) {
    double direction[count] = {}, next[count] = {};
    direction[i] = next[(i + 1) % count] = 1;
    const auto tangents =
        autodiff<Forward>(run, BatchDuplicated{x, std::array{(const double *)direction, (const double *)next}});
    const double expected[] = {2 * gradient[i], gradient[i], -0.5 * gradient[i], gradient[i],
                               gradient[(i + 1) % count]};
    const double seen[] = {first[i], second[i], third[i], tangents.derivative[0], tangents.derivative[1]};
    for (int k = 0; k < 5; ++k)
      if (!(std::fabs(seen[k] - expected[k]) <= 1e-12 * (1 + std::fabs(expected[k])))) {
        std::printf("x[%d], lanes %d: %g, should be %g\n", i, k, seen[k], expected[k]);
        ++wrong;
      }
  }
  return wrong;
}

int main() {
  double x[count], gradient[count] = {};
  for (int i = 0; i < count; ++i)
    x[i] = 0.5 + 0.4 * std::sin(1.7 * i + 0.3);
  autodiff<Reverse>(run, Duplicated{(const double *)x, (double *)gradient});
  double left = 0;
  cudaMemcpyFromSymbol(&left, step, sizeof left);
  int wrong = left == 0.125 ? 0 : 1; // what the program leaves, not what a launch in the middle found
  wrong += differences_of_lanes(x, gradient);
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
