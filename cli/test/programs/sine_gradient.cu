#include <cstdio>
extern __device__ int enzyme_dup, enzyme_const;
template <class... T> __device__ void __enzyme_autodiff(void *, T...);
__device__ void body(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]) * x[i];
}
__global__ void gradient(const float *x, float *dx, float *y, float *dy, int n) {
  __enzyme_autodiff((void *)body, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
int main() {
  const int n = 1 << 12;
  float *x, *dx, *y, *dy;
  cudaMallocManaged(&x, 4 * n); cudaMallocManaged(&dx, 4 * n); cudaMallocManaged(&y, 4 * n); cudaMallocManaged(&dy, 4 * n);
  for (int i = 0; i < n; ++i) { x[i] = i * 1e-3f; dx[i] = 0; y[i] = 0; dy[i] = 1; }
  gradient<<<n / 256, 256>>>(x, dx, y, dy, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) { float w = cosf(x[i]) * x[i] + sinf(x[i]); wrong += fabsf(dx[i] - w) > 1e-5f; }
  printf("wrong %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
