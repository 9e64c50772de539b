// Kernels on numbers of 16 bits, right ones and wrong ones. HALF is their type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifndef HALF
#define HALF __half
#define PAIR __half2
#endif

__global__ void saxpy(const HALF *x, HALF a, HALF *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma(a, x[i], y[i] * y[i]);
}

__global__ void saxpy_in_float(const HALF *x, float a, HALF *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = HALF(a) * x[i] + y[i];
}

__global__ void saxpy_of_pairs(const PAIR *x, PAIR a, PAIR *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void dot(const HALF *x, const HALF *y, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += float(x[i]) * float(y[i]);
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffU, sum, distance);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

__global__ void softmax(const HALF *x, HALF *y) {
  __shared__ HALF part[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  HALF largest = x[i];
  for (int distance = 16; distance > 0; distance /= 2)
    largest = __hmax(largest, __shfl_xor_sync(0xffffffffU, largest, distance));
  const HALF term = hexp(x[i] - largest);
  part[threadIdx.x] = term;
  __syncthreads();
  for (int distance = 16; distance > 0; distance /= 2) {
    if (threadIdx.x < distance)
      part[threadIdx.x] += part[threadIdx.x + distance];
    __syncthreads();
  }
  y[i] = term / part[0];
}

__global__ void layer_norm(const HALF *x, const HALF *weight, HALF *y, int n) {
  const HALF *row = x + blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += warpSize) {
    const float value = row[i];
    sum += value, squares += value * value;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffffU, sum, distance);
    squares += __shfl_xor_sync(0xffffffffU, squares, distance);
  }
  const float mean = sum / n, scale = rsqrtf(squares / n - mean * mean + 1e-3f);
  for (int i = threadIdx.x; i < n; i += warpSize)
    y[blockIdx.x * n + i] = HALF((float(row[i]) - mean) * scale * float(weight[i]));
}

__global__ void histogram(const PAIR *x, const int *bin, PAIR *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sums + bin[i], __hmul2(x[i], x[i]));
}

__global__ void look_up(const HALF *x, const __nv_bfloat16 *table, HALF *y, int n) {
  const float place = float(x[threadIdx.x]) * (n - 1);
  const int k = min(max(int(place), 0), n - 2);
  const float below = table[k], above = table[k + 1];
  y[threadIdx.x] = HALF(below + (place - k) * (above - below));
}

__global__ void round_trip(const HALF *x, double *y, HALF *again) {
  const PAIR pair(x[threadIdx.x], HALF(2.0f));
  const __nv_bfloat16 other = __float2bfloat16(float(pair.x));
  y[threadIdx.x] = double(float(other)) * 3.0;
  again[threadIdx.x] = HALF(float(pair.x) * float(pair.y));
}

__global__ void through_bits(const __half *x, __half *y) {
  y[threadIdx.x] = __ushort_as_half(__half_as_ushort(x[threadIdx.x])) * x[threadIdx.x];
}

__global__ void horner(const HALF *x, const HALF *coefficients, HALF *y, int degree) {
  HALF value = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k)
    value = __hfma(value, x[threadIdx.x], coefficients[k]);
  y[threadIdx.x] = value;
}

/// The adjoint of a scalar is a sum over all threads in its own type, which is coarser than all that the kernel
/// computes with.
__global__ void shifted(const __half *x, __nv_bfloat16 shift, __half *y) {
  y[threadIdx.x] = x[threadIdx.x] * __half(float(shift));
}

struct Layer {
  HALF scale;
  HALF weights[3];
  const HALF *in;
  PAIR shift;
};
__global__ void layer(Layer layer, HALF *y) {
  y[threadIdx.x] = layer.scale * layer.in[threadIdx.x] + layer.weights[threadIdx.x % 3] * layer.shift.x + layer.shift.y;
}

__device__ __attribute__((noinline)) HALF square(HALF x) {
  return x * x;
}
__device__ HALF square_tangent(HALF x, HALF dx) {
  return HALF(2.25f) * x * dx;
}
__device__ void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_tangent};
__global__ void wrong_tangent(const HALF *x, HALF *y) {
  y[threadIdx.x] = square(x[threadIdx.x]) + x[threadIdx.x];
}

__device__ __attribute__((noinline)) float cube(float x) {
  return x * x * x;
}
__device__ void cube_augmented(float x) {}
__device__ float cube_adjoint(float x, float seed) {
  return 2 * x * x * seed;
}
__device__ void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_adjoint};
__global__ void wrong_adjoint(const HALF *x, HALF *y) {
  y[threadIdx.x] = HALF(cube(float(x[threadIdx.x])));
}
