// Gradients and tangents of numbers of 16 bits, all of them exact.
#include <cstdio>
#include <assay/gpu.hpp>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int count = 32;

template <class Half, class Pair>
__device__ void body(const Half *x, Half *y) {
  const int i = threadIdx.x;
  const Half product = x[i] * x[i] + __shfl_xor_sync(0xffffffffU, x[i], 1);
  const Pair both = Pair(product, x[i]) * reinterpret_cast<const Pair *>(x)[i / 2];
  y[i] = __hfma(both.x, Half(2.0f), hsqrt(x[i]) * both.y);
}

template <class Half, class Pair>
__global__ void gradient(const Half *x, Half *dx, Half *y, Half *dy) {
  assay::autodiff_deferred<assay::Reverse>(body<Half, Pair>, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});
}
template <class Half, class Pair>
__global__ void tangent(const Half *x, Half *dx, Half *y, Half *dy) {
  assay::autodiff_deferred<assay::Forward>(body<Half, Pair>, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});
}

/// At x = 1: y = 2 (x x + x~) x0 + sqrt(x) x x1.
template <class Half, class Pair>
int check() {
  Half *x, *dx, *y, *dy;
  for (Half **memory : {&x, &dx, &y, &dy})
    cudaMallocManaged(memory, count * sizeof(Half));
  const auto fill = [](Half *numbers, float number) {
    for (int i = 0; i < count; ++i)
      numbers[i] = Half(number);
  };
  fill(x, 1), fill(dx, 0), fill(dy, 1);
  gradient<Half, Pair><<<1, count>>>(x, dx, y, dy);
  int wrong = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < count; ++i) // its own square, its neighbour's sum, both first and second places of the pair
    wrong += float(dx[i]) != 4.0f + 2.0f + 1.5f + (i % 2 == 0 ? 8.0f : 2.0f);
  fill(dx, 1), fill(dy, 0);
  tangent<Half, Pair><<<1, count>>>(x, dx, y, dy);
  wrong += cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < count; ++i)
    wrong += float(dy[i]) != 6.0f + 4.0f + 2.5f || float(y[i]) != 5.0f;
  return wrong;
}

int main() {
  printf("wrong %d %d\n", check<__half, __half2>(), check<__nv_bfloat16, __nv_bfloat162>());
}
