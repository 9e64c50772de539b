// The gradient of a kernel against its closed form.

#include <assay/gpu.hpp>

#include <cmath>
#include <cstdio>

__device__ void saxpy(const float *x, float *y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * sinf(x[i]);
}

__global__ void gradient(const float *x, float *dx, float *y, float *dy, float a, int n) {
  assay::autodiff_deferred<assay::Reverse>(saxpy, assay::Duplicated{x, dx}, assay::Duplicated{y, dy}, assay::Const{a},
                                           assay::Const{n});
}

int main() {
  constexpr int n = 100;
  float *memory[4];
  for (float *&each : memory)
    cudaMallocManaged(&each, n * sizeof(float));
  auto [x, dx, y, dy] = memory;
  for (int i = 0; i < n; ++i) {
    x[i] = 0.1f * i;
    dx[i] = y[i] = 0;
    dy[i] = 1;
  }
  gradient<<<4, 32>>>(x, dx, y, dy, 3, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    if (std::abs(dx[i] - 3 * std::cos(x[i])) > 1e-5f || dy[i] != 1) {
      std::printf("element %d: dx = %g, dy = %g\n", i, dx[i], dy[i]);
      return 1;
    }
  for (float *each : memory)
    cudaFree(each);
}
