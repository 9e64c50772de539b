#include <cstdio>
#include <cmath>
#include <vector>
extern __device__ int enzyme_dup, enzyme_const;
template <class... T> __device__ void __enzyme_autodiff(void *, T...);
__device__ void body(const float *x, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? sinf(x[i]) * x[i] : 0.f;
  __syncthreads();
  for (int h = 32; h > 0; h >>= 1) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
__global__ void grad(const float *x, float *dx, float *o, float *d, int n) {
  __enzyme_autodiff((void *)body, enzyme_dup, x, dx, enzyme_dup, o, d, enzyme_const, n);
}
int main() {
  const int n = 200; std::vector<float> x(n), g(n);
  for (int i = 0; i < n; i++) x[i] = 0.01f * i - 1;
  float *dx, *dg, *o, *d; cudaMalloc(&dx, n * 4); cudaMalloc(&dg, n * 4); cudaMalloc(&o, 4); cudaMalloc(&d, 4);
  cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice); cudaMemset(dg, 0, n * 4); cudaMemset(o, 0, 4);
  float one = 1; cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);
  grad<<<4, 64>>>(dx, dg, o, d, n);
  const char *status = cudaGetErrorString(cudaDeviceSynchronize());
  cudaMemcpy(g.data(), dg, n * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += !(fabsf(g[i] - (sinf(x[i]) + x[i] * cosf(x[i]))) < 1e-5f);
  printf("wrong %d %s\n", wrong, status);
  return wrong != 0;
}
