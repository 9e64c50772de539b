#pragma once
// Overloads for float of functions that <cmath> does not have, minimum and maximum, and the same names on the host.

static __inline__ __device__ float rsqrt(float x) {
  return rsqrtf(x);
}
static __inline__ __device__ float rcbrt(float x) {
  return rcbrtf(x);
}
static __inline__ __device__ float sinpi(float x) {
  return sinpif(x);
}
static __inline__ __device__ float cospi(float x) {
  return cospif(x);
}
static __inline__ __device__ void sincospi(float x, float *sine, float *cosine) {
  sincospif(x, sine, cosine);
}
static __inline__ __device__ void sincos(float x, float *sine, float *cosine) {
  sincosf(x, sine, cosine);
}
static __inline__ __device__ float normcdf(float x) {
  return normcdff(x);
}
static __inline__ __device__ float normcdfinv(float x) {
  return normcdfinvf(x);
}
static __inline__ __device__ float erfcinv(float x) {
  return erfcinvf(x);
}
static __inline__ __device__ float erfinv(float x) {
  return erfinvf(x);
}
static __inline__ __device__ float erfcx(float x) {
  return erfcxf(x);
}

#pragma push_macro("ASSAY_MINIMUM_AND_MAXIMUM")
#define ASSAY_MINIMUM_AND_MAXIMUM(type)                                                                                \
  static __inline__ __host__ __device__ type min(type x, type y) {                                                     \
    return y < x ? y : x;                                                                                              \
  }                                                                                                                    \
  static __inline__ __host__ __device__ type max(type x, type y) {                                                     \
    return x < y ? y : x;                                                                                              \
  }
ASSAY_MINIMUM_AND_MAXIMUM(unsigned int)
ASSAY_MINIMUM_AND_MAXIMUM(long)
ASSAY_MINIMUM_AND_MAXIMUM(unsigned long)
ASSAY_MINIMUM_AND_MAXIMUM(long long)
ASSAY_MINIMUM_AND_MAXIMUM(unsigned long long)
static __inline__ __host__ int min(int x, int y) {
  return y < x ? y : x;
}
static __inline__ __host__ int max(int x, int y) {
  return x < y ? y : x;
}
static __inline__ __host__ float min(float x, float y) {
  return fminf(x, y);
}
static __inline__ __host__ float max(float x, float y) {
  return fmaxf(x, y);
}
static __inline__ __host__ double min(double x, double y) {
  return fmin(x, y);
}
static __inline__ __host__ double max(double x, double y) {
  return fmax(x, y);
}
#pragma pop_macro("ASSAY_MINIMUM_AND_MAXIMUM")

static __inline__ __host__ float rsqrtf(float x) {
  return 1.0F / sqrtf(x);
}
static __inline__ __host__ double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
