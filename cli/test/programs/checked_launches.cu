// A function of the host that launches kernels, which `assay check` checks as a whole. `blurred` names another function
// than its kernel's for the derivative, with a wrong weight.
#include <assay/gpu/host.hpp>
#include <utility>

__global__ void diffuse(const double *u, double *v, int n, double rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = u[i] + rate * (u[(i + 1) % n] - 2 * u[i] + u[(i + n - 1) % n]) + 0.1 * u[i] * u[i];
}
ASSAY_LAUNCH(diffuse);

__device__ void not_blur(const double *u, double *v, int n) {
  const int i = threadIdx.x;
  if (i < n)
    v[i] = 0.5 * u[i] + 0.25 * u[(i + 1) % n];
}
__global__ void blur(const double *u, double *v, int n) {
  const int i = threadIdx.x;
  if (i < n)
    v[i] = 0.5 * u[i] + 0.5 * u[(i + 1) % n];
}
ASSAY_LAUNCH(blur, not_blur);

template <class Launch>
static double after(const double *in, int n, Launch launch) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  double *u, *v, result[4];
  cudaMalloc(&u, n * sizeof(double));
  cudaMalloc(&v, n * sizeof(double));
  cudaMemcpyAsync(u, in, n * sizeof(double), cudaMemcpyHostToDevice, stream);
  for (int step = 0; step < 2; ++step) {
    launch(u, v, stream);
    std::swap(u, v);
  }
  cudaMemcpyAsync(result, u, sizeof result, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaFree(u);
  cudaFree(v);
  cudaStreamDestroy(stream);
  return result[0] * result[1] + result[2] * result[3];
}

double diffused(const double *in, int n, double rate) {
  return after(in, n,
               [=](const double *u, double *v, cudaStream_t stream) { diffuse<<<2, 4, 0, stream>>>(u, v, n, rate); });
}
double blurred(const double *in, int n) {
  return after(in, n, [=](const double *u, double *v, cudaStream_t stream) { blur<<<1, 8, 0, stream>>>(u, v, n); });
}

// Flat numbers of the host are structs on the device, and rows of another distance there.
struct Position {
  double x, y, z;
};
__global__ void turn(Position *all, double angle, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const Position p = all[i];
  all[i] = {p.x * cos(angle) - p.y * sin(angle), p.x * sin(angle) + p.y * cos(angle), p.z * p.z};
}
ASSAY_LAUNCH(turn);

double turned(const double *in, double angle) {
  constexpr int n = 4;
  Position *all;
  double *rows, out[3 * n], sum = 0;
  std::size_t pitch;
  cudaMalloc(&all, n * sizeof(Position));
  cudaMallocPitch(&rows, &pitch, sizeof(Position), n);
  cudaMemcpy(all, in, n * sizeof(Position), cudaMemcpyHostToDevice);
  turn<<<1, n>>>(all, angle, n);
  cudaMemcpy2D(rows, pitch, all, sizeof(Position), sizeof(Position), n, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(out, sizeof(Position), rows, pitch, sizeof(Position), n, cudaMemcpyDeviceToHost);
  cudaFree(all);
  cudaFree(rows);
  for (int i = 0; i < 3 * n; ++i)
    sum += out[i] * (i + 1);
  return sum;
}
