// The gradient of a kernel against its closed form, and by the harness.

#include <gtest/gtest.h>

#include <assay/gpu.hpp>

#include <cmath>
#include <vector>

__device__ void body(const float *x, float *y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * sinf(x[i]);
}

__global__ void saxpy(const float *x, float *y, float a, int n) {
  body(x, y, a, n);
}

__global__ void gradient(const float *x, float *dx, float *y, float *dy, float a, int n) {
  assay::autodiff_deferred<assay::Reverse>(body, assay::Duplicated{x, dx}, assay::Duplicated{y, dy}, assay::Const{a},
                                           assay::Const{n});
}

TEST(Saxpy, ClosedForm) {
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
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(dx[i], 3 * std::cos(x[i]), 1e-5f) << i;
    EXPECT_EQ(dy[i], 1) << i;
  }
  for (float *each : memory)
    cudaFree(each);
}

TEST(Saxpy, Gradients) {
  std::vector<float> x(100);
  for (int i = 0; i < 100; ++i)
    x[i] = 0.05f * i;
  assay::test_kernel_reverse(saxpy, assay::launch(4, 32), assay::arg<assay::Duplicated>(x),
                             assay::arg<assay::Duplicated>(std::vector<float>(100, 1.0f)),
                             assay::arg<assay::Active>(3.0f), 100);
}
