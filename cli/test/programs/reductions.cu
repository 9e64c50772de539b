#include <cstdio>
#include <vector>
#include <cmath>
__constant__ double table[4];
__device__ double total;
extern __shared__ double dyn[];
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void reduce(const double *x, double *out) {
  __shared__ double s[128];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t] * table[t & 3];
  dyn[t] = s[t];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
  double v = dyn[t];
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
  if ((t & 31) == 0) atomicAdd(&total, v);
  if (t == 0) { atomicAdd(out, s[0]); if (blockIdx.x == 0) printf("block %d %g\n", blockIdx.x, s[0]); }
}
int main(int argc, char **argv) {
  std::vector<float> x(1000, 2.0f), y(1000, 1.0f);
  float *dx, *dy;
  cudaMalloc(&dx, 4000); cudaMalloc(&dy, 4000);
  cudaMemcpy(dx, x.data(), 4000, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), 4000, cudaMemcpyHostToDevice);
  saxpy<<<8, 128>>>(3.0f, dx, dy, 1000);
  cudaMemcpy(y.data(), dy, 4000, cudaMemcpyDeviceToHost);
  double t[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(table, t, sizeof t);
  std::vector<double> u(512, 0.5); double *du, *out, zero = 0, sum = 0, all = 0;
  cudaMalloc(&du, 4096); cudaMalloc(&out, 8);
  cudaMemcpy(du, u.data(), 4096, cudaMemcpyHostToDevice); cudaMemcpy(out, &zero, 8, cudaMemcpyHostToDevice);
  reduce<<<4, 128, 128 * sizeof(double)>>>(du, out);
  cudaMemcpy(&sum, out, 8, cudaMemcpyDeviceToHost); cudaMemcpyFromSymbol(&all, total, 8);
  printf("%g %g %g %g %s %d\n", y[0], y[999], sum, all, cudaGetErrorString(cudaGetLastError()), argc);
  return y[0] == 7 && sum == 640 && all == 640 ? argc : 9;
}
