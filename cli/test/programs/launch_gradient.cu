// Derivatives of a function of the host that allocates on the device, copies, and launches kernels, one of them in
// place and in a loop.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int count = 64;

__device__ void square(const double *x, double *y, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * x[i] * x[(i + 1) % n];
}
__global__ void square_kernel(const double *x, double *y, double factor, int n) {
  square(x, y, factor, n);
}
ASSAY_LAUNCH(square_kernel, square);

__device__ void gather(const double *x, const int *order, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += x[order[i]] * x[i];
}
__global__ void gather_kernel(const double *x, const int *order, double *y) {
  gather(x, order, y);
}
ASSAY_LAUNCH(gather_kernel, gather);

__device__ void relax(double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += 0.1 * sin(y[i]) * y[i];
}
__global__ void relax_kernel(double *y) {
  relax(y);
}
ASSAY_LAUNCH(relax_kernel, relax);

void run(const double *in, double *out, double factor) {
  double *x, *y;
  int *order, host_order[count];
  for (int i = 0; i < count; ++i)
    host_order[i] = i * 7 % count;
  cudaMalloc(&order, sizeof host_order);
  cudaMemcpy(order, host_order, sizeof host_order, cudaMemcpyHostToDevice);
  cudaMalloc(&x, count * sizeof(double));
  cudaMalloc(&y, count * sizeof(double));
  cudaMemset(y, 0, count * sizeof(double));
  cudaMemcpy(x, in, count * sizeof(double), cudaMemcpyHostToDevice);
  square_kernel<<<2, 32>>>(x, y, factor, count);
  for (int step = 0; step < 3; ++step)
    relax_kernel<<<2, 32>>>(y);
  gather_kernel<<<2, 32>>>(x, order, y);
  cudaMemcpyAsync(out, y, count * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(order);
  cudaFree(x);
  cudaFree(y);
}

int main() {
  std::vector<double> x(count), direction(count), y(count), of_y(count), weights(count), of_x(count);
  for (int i = 0; i < count; ++i)
    x[i] = 0.3 + 0.01 * i, direction[i] = std::cos(i), weights[i] = std::sin(3 * i);
  const auto value = [&](double step) {
    std::vector<double> moved = x, result(count);
    for (int i = 0; i < count; ++i)
      moved[i] += step * direction[i];
    run(moved.data(), result.data(), 1.5 + 2 * step);
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += weights[i] * result[i];
    return sum;
  };
  const double expected = (value(1e-6) - value(-1e-6)) / 2e-6;
  using namespace assay;
  autodiff<Forward>(run, Duplicated{x.data(), direction.data()}, Duplicated{y.data(), of_y.data()},
                    Duplicated{1.5, 2.0});
  double forward = 0, reverse = 0;
  for (int i = 0; i < count; ++i)
    forward += weights[i] * of_y[i];
  const auto result = autodiff<Reverse>(run, Duplicated{x.data(), of_x.data()}, Duplicated{y.data(), weights.data()},
                                        Active{1.5});
  for (int i = 0; i < count; ++i)
    reverse += of_x[i] * direction[i];
  reverse += 2 * get<2>(result.gradient);
  printf("forward %d reverse %d %s\n", std::abs(forward - expected) < 1e-6, std::abs(reverse - expected) < 1e-6,
         cudaGetErrorString(cudaGetLastError()));
}
