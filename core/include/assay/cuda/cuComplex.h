#pragma once
// In place of the toolkit's: complex numbers as pairs, with the functions that CUDA documents for them.
#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static __host__ __device__ __inline__ cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
static __host__ __device__ __inline__ float cuCrealf(cuFloatComplex z) {
  return z.x;
}
static __host__ __device__ __inline__ float cuCimagf(cuFloatComplex z) {
  return z.y;
}
static __host__ __device__ __inline__ cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_cuFloatComplex(z.x, -z.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// Both numbers are divided by the size of the divisor first, so that no square overflows.
static __host__ __device__ __inline__ cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1 / (fabsf(b.x) + fabsf(b.y));
  const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const float square = 1 / (bx * bx + by * by);
  return make_cuFloatComplex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
static __host__ __device__ __inline__ float cuCabsf(cuFloatComplex z) {
  return hypotf(z.x, z.y);
}
/// a b + c
static __host__ __device__ __inline__ cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}

static __host__ __device__ __inline__ cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return make_double2(real, imaginary);
}
static __host__ __device__ __inline__ double cuCreal(cuDoubleComplex z) {
  return z.x;
}
static __host__ __device__ __inline__ double cuCimag(cuDoubleComplex z) {
  return z.y;
}
static __host__ __device__ __inline__ cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_cuDoubleComplex(z.x, -z.y);
}
static __host__ __device__ __inline__ cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
static __host__ __device__ __inline__ cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
static __host__ __device__ __inline__ cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static __host__ __device__ __inline__ cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1 / (fabs(b.x) + fabs(b.y));
  const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const double square = 1 / (bx * bx + by * by);
  return make_cuDoubleComplex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
static __host__ __device__ __inline__ double cuCabs(cuDoubleComplex z) {
  return hypot(z.x, z.y);
}
static __host__ __device__ __inline__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}

static __host__ __device__ __inline__ cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
static __host__ __device__ __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}
