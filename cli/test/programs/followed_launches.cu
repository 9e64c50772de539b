// Functions of the host that wide arithmetic follows through allocations, copies and launches: cancellation, at which
// finite differences of doubles see nothing, sums in shared memory and by shuffles, numbers in a variable of the
// device, rows of memory.
#include <assay/gpu/host.hpp>

__global__ void remainder_of_exponential(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = (exp(x[i]) - 1 - x[i]) / (x[i] * x[i]);
}
ASSAY_LAUNCH(remainder_of_exponential);

__global__ void sum_of_block(const double *y, double *sum, int n) {
  __shared__ double part[8];
  const int i = threadIdx.x;
  part[i] = i < n ? y[i] * y[i] : 0;
  __syncthreads();
  for (int half = 4; half > 0; half /= 2) {
    if (i < half)
      part[i] += part[i + half];
    __syncthreads();
  }
  if (i == 0)
    *sum = part[0];
}
ASSAY_LAUNCH(sum_of_block);

__device__ double weights[4], d_weights[4];
__device__ void *__enzyme_shadow_global_weights[] = {(void *)weights, (void *)d_weights};
__global__ void weigh(double *y, int n) {
  if (threadIdx.x < n)
    y[threadIdx.x] *= weights[threadIdx.x];
}
ASSAY_LAUNCH(weigh);

/// Each double goes as two words.
__global__ void sum_of_warp(const double *y, double *sum, int n) {
  double part = threadIdx.x < n ? y[threadIdx.x] * y[threadIdx.x] : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    part += __shfl_down_sync(~0U, part, distance);
  if (threadIdx.x == 0)
    *sum = part;
}
ASSAY_LAUNCH(sum_of_warp);

double shuffled(const double *in, int n) {
  double *x, *sum, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&sum, sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  sum_of_warp<<<1, 32>>>(x, sum, n);
  cudaMemcpy(&result, sum, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(sum);
  return result;
}

double cancelled(const double *in, int n) {
  double *x, *y, *sum, result;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaMalloc(&sum, sizeof(double));
  cudaMemcpy(x, in, n * sizeof(double), cudaMemcpyHostToDevice);
  remainder_of_exponential<<<2, 4>>>(x, y, n);
  sum_of_block<<<1, 8>>>(y, sum, n);
  cudaMemcpy(&result, sum, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  cudaFree(sum);
  return result;
}

double weighted(const double *in, const double *factors) {
  double *y, result[4];
  cudaMalloc(&y, sizeof result);
  cudaMemcpyToSymbol(weights, factors, sizeof result);
  cudaMemcpy(y, in, sizeof result, cudaMemcpyHostToDevice);
  weigh<<<1, 4>>>(y, 4);
  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(y, weights, 2 * sizeof(double), sizeof(double), cudaMemcpyDeviceToDevice);
  double kept[2];
  cudaMemcpy(kept, y, sizeof kept, cudaMemcpyDeviceToHost);
  cudaFree(y);
  return result[0] * result[1] + result[2] * result[3] + kept[0] * kept[1];
}

/// Of rows of three numbers.
__global__ void remainders_of_rows(double *x, std::size_t pitch) {
  double *row = reinterpret_cast<double *>(reinterpret_cast<char *>(x) + blockIdx.x * pitch);
  const double t = row[threadIdx.x];
  row[threadIdx.x] = (exp(t) - 1 - t) / (t * t);
}
ASSAY_LAUNCH(remainders_of_rows);

double in_rows(const double *in) {
  double *x, *y, result[6];
  std::size_t pitch, row = 3 * sizeof(double);
  cudaMallocPitch((void **)&x, &pitch, row, 2);
  cudaMallocPitch((void **)&y, &pitch, row, 2);
  cudaMemset2D(y, pitch, 0, row, 2);
  cudaMemcpy2D(x, pitch, in, row, row, 2, cudaMemcpyHostToDevice);
  remainders_of_rows<<<2, 3>>>(x, pitch);
  cudaMemcpy2D(y, pitch, x, pitch, row - sizeof(double), 2, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(result, row, y, pitch, row, 2, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
  return result[0] * result[1] + result[3] * result[4] + result[2];
}
