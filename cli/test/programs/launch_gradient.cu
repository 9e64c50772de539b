// Derivatives of a function of the host that allocates on the device, copies, and launches kernels: one in place and in
// a loop, with numbers in a struct, and one that only moves integers, which come from an object that is constant.
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

struct Relaxation {
  double rate;
  int power;
};
template <class Number, int least>
__device__ void relax(Number *y, Relaxation relaxation) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int power = least; power < relaxation.power; ++power)
    y[i] += relaxation.rate * sin(y[i]) * y[i];
}
template <class Number, int least>
__global__ void relax_kernel(Number *y, Relaxation relaxation) {
  relax<Number, least>(y, relaxation);
}
ASSAY_LAUNCH((relax_kernel<double, 1>), (relax<double, 1>));

__global__ void reverse_order(int *order) {
  const int i = threadIdx.x, other = count - 1 - i, kept = order[i];
  order[i] = order[other];
  order[other] = kept;
}
ASSAY_LAUNCH_WITHOUT_DERIVATIVE(reverse_order);

struct Plan {
  std::vector<int> order;
  int steps;
};

void run(const double2 *in, double *out, double factor, const Plan &plan) {
  double *x, *y;
  int *order;
  cudaMalloc(&order, count * sizeof(int));
  cudaMemcpy(order, plan.order.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  reverse_order<<<1, count / 2>>>(order);
  cudaMalloc(&x, count * sizeof(double));
  cudaMalloc(&y, count * sizeof(double));
  cudaMemset(y, 0, count * sizeof(double));
  cudaMemcpy(reinterpret_cast<double2 *>(x), in, count * sizeof(double), cudaMemcpyHostToDevice);
  square_kernel<<<2, 32>>>(x, y, factor, count);
  for (int step = 0; step < plan.steps; ++step)
    relax_kernel<double, 1><<<2, 32>>>(y, Relaxation{0.1 * factor, 2});
  gather_kernel<<<2, 32>>>(x, order, y);
  cudaMemcpyAsync(out, y, count * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(order);
  cudaFree(x);
  cudaFree(y);
}

double2 *pairs(std::vector<double> &numbers) {
  return reinterpret_cast<double2 *>(numbers.data());
}

int main() {
  Plan plan{{}, 3};
  for (int i = 0; i < count; ++i)
    plan.order.push_back(i * 7 % count);
  std::vector<double> x(count), direction(count), y(count), of_y(count), weights(count), of_x(count);
  for (int i = 0; i < count; ++i)
    x[i] = 0.3 + 0.01 * i, direction[i] = std::cos(i), weights[i] = std::sin(3 * i);
  const auto value = [&](double step) {
    std::vector<double> moved = x, result(count);
    for (int i = 0; i < count; ++i)
      moved[i] += step * direction[i];
    run(pairs(moved), result.data(), 1.5 + 2 * step, plan);
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += weights[i] * result[i];
    return sum;
  };
  const double expected = (value(1e-6) - value(-1e-6)) / 2e-6;
  using namespace assay;
  autodiff<Forward>(run, Duplicated{pairs(x), pairs(direction)}, Duplicated{y.data(), of_y.data()},
                    Duplicated{1.5, 2.0}, Const{plan});
  double forward = 0, reverse = 0;
  for (int i = 0; i < count; ++i)
    forward += weights[i] * of_y[i];
  const auto result = autodiff<Reverse>(run, Duplicated{pairs(x), pairs(of_x)}, Duplicated{y.data(), weights.data()},
                                        Active{1.5}, Const{plan});
  for (int i = 0; i < count; ++i)
    reverse += of_x[i] * direction[i];
  reverse += 2 * get<2>(result.gradient);
  printf("forward %d reverse %d %s\n", std::abs(forward - expected) < 1e-6, std::abs(reverse - expected) < 1e-6,
         cudaGetErrorString(cudaGetLastError()));
}
