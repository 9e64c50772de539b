// Prints how many derivatives of a program with rows of memory on the device differ from differences.
#include <assay/autodiff.hpp>
#include <assay/gpu/host.hpp>
#include <cmath>
#include <cstdio>
using namespace assay;

constexpr int width = 7, height = 4, count = width * height;

__device__ void smooth(const double *x, double *y, std::size_t pitch, int w, int h) {
  const int i = threadIdx.x, j = blockIdx.x;
  const double *row = reinterpret_cast<const double *>(reinterpret_cast<const char *>(x) + j * pitch);
  const double left = i > 0 ? row[i - 1] : 0, right = i + 1 < w ? row[i + 1] : 0;
  reinterpret_cast<double *>(reinterpret_cast<char *>(y) + j * pitch)[i] = row[i] * (left - 0.5 * right) + row[i];
}
__global__ void smooth_kernel(const double *x, double *y, std::size_t pitch, int w, int h) {
  smooth(x, y, pitch, w, h);
}
ASSAY_LAUNCH(smooth_kernel, smooth);

double run(const double *x) {
  double *in = nullptr, *out = nullptr, result[count];
  std::size_t pitch = 0;
  const std::size_t row = width * sizeof(double);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMallocPitch((void **)&in, &pitch, row, height);
  cudaMallocPitch((void **)&out, &pitch, row, height);
  cudaMemset2D(out, pitch, 0, row, height);
  cudaMemcpy2D(in, pitch, x, row, row, height, cudaMemcpyHostToDevice);
  smooth_kernel<<<height, width, 0, stream>>>(in, out, pitch, width, height);
  cudaMemset2DAsync(in, pitch, 0, row, 1, stream);
  cudaMemcpy2DAsync(in, pitch, out, pitch, row - sizeof(double), height - 1, cudaMemcpyDeviceToDevice, stream);
  smooth_kernel<<<height, width, 0, stream>>>(in, out, pitch, width, height);
  cudaMemcpy2D(result, row, out, pitch, row, height, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  cudaStreamDestroy(stream);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += (1 + 0.1 * i) * result[i] * result[i];
  return sum;
}

int main() {
  double x[count], gradient[count] = {};
  for (int i = 0; i < count; ++i)
    x[i] = std::sin(1.7 * i + 0.3);
  autodiff<Reverse>(run, Duplicated{(const double *)x, (double *)gradient});
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    double direction[count] = {};
    direction[i] = 1;
    const double tangent = autodiff<Forward>(run, Duplicated{(const double *)x, (const double *)direction}).derivative;
    const double step = 1e-6, at = x[i];
    x[i] = at + step;
    const double above = run(x);
    x[i] = at - step;
    const double difference = (above - run(x)) / (2 * step);
    x[i] = at;
    wrong += !(std::fabs(difference - gradient[i]) < 1e-6 * (1 + std::fabs(difference)));
    wrong += !(std::fabs(difference - tangent) < 1e-6 * (1 + std::fabs(difference)));
  }
  std::printf("wrong %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
