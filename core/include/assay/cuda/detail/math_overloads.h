#pragma once
// Overloads for float of functions that <cmath> does not have, minimum and maximum, and the same names on the host.

#pragma push_macro("ASSAY_FLOAT")
#pragma push_macro("ASSAY_FLOAT_2")
#define ASSAY_FLOAT(name)                                                                                              \
  static __inline__ __device__ float name(float x) {                                                                   \
    return name##f(x);                                                                                                 \
  }
#define ASSAY_FLOAT_2(name)                                                                                            \
  static __inline__ __device__ float name(float x, float y) {                                                          \
    return name##f(x, y);                                                                                              \
  }
ASSAY_FLOAT(acosh)
ASSAY_FLOAT(asinh)
ASSAY_FLOAT(atanh)
ASSAY_FLOAT(cbrt)
ASSAY_FLOAT(erf)
ASSAY_FLOAT(erfc)
ASSAY_FLOAT(exp2)
ASSAY_FLOAT(exp10)
ASSAY_FLOAT(expm1)
ASSAY_FLOAT(lgamma)
ASSAY_FLOAT(log1p)
ASSAY_FLOAT(log2)
ASSAY_FLOAT(logb)
ASSAY_FLOAT(nearbyint)
ASSAY_FLOAT(rint)
ASSAY_FLOAT(round)
ASSAY_FLOAT(tgamma)
ASSAY_FLOAT(trunc)
ASSAY_FLOAT(rsqrt)
ASSAY_FLOAT(rcbrt)
ASSAY_FLOAT(sinpi)
ASSAY_FLOAT(cospi)
ASSAY_FLOAT(normcdf)
ASSAY_FLOAT(normcdfinv)
ASSAY_FLOAT(erfcinv)
ASSAY_FLOAT(erfinv)
ASSAY_FLOAT(erfcx)
ASSAY_FLOAT_2(copysign)
ASSAY_FLOAT_2(fdim)
ASSAY_FLOAT_2(fmax)
ASSAY_FLOAT_2(fmin)
ASSAY_FLOAT_2(hypot)
ASSAY_FLOAT_2(nextafter)
ASSAY_FLOAT_2(remainder)
#pragma pop_macro("ASSAY_FLOAT_2")
#pragma pop_macro("ASSAY_FLOAT")
static __inline__ __device__ void sincospi(float x, float *sine, float *cosine) {
  sincospif(x, sine, cosine);
}
static __inline__ __device__ void sincos(float x, float *sine, float *cosine) {
  sincosf(x, sine, cosine);
}
static __inline__ __device__ float fma(float x, float y, float z) {
  return fmaf(x, y, z);
}
static __inline__ __device__ int ilogb(float x) {
  return ilogbf(x);
}
static __inline__ __device__ long lrint(float x) {
  return lrintf(x);
}
static __inline__ __device__ long lround(float x) {
  return lroundf(x);
}
static __inline__ __device__ long long llrint(float x) {
  return llrintf(x);
}
static __inline__ __device__ long long llround(float x) {
  return llroundf(x);
}
static __inline__ __device__ float scalbn(float x, int n) {
  return scalbnf(x, n);
}
static __inline__ __device__ float scalbln(float x, long n) {
  return scalblnf(x, n);
}

#pragma push_macro("ASSAY_MINIMUM_AND_MAXIMUM")
#pragma push_macro("ASSAY_MIXED_MINIMUM_AND_MAXIMUM")
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
static __inline__ __host__ __device__ float min(float x, float y) {
  return fminf(x, y);
}
static __inline__ __host__ __device__ float max(float x, float y) {
  return fmaxf(x, y);
}
static __inline__ __host__ __device__ double min(double x, double y) {
  return fmin(x, y);
}
static __inline__ __host__ __device__ double max(double x, double y) {
  return fmax(x, y);
}
static __inline__ __host__ __device__ double min(float x, double y) {
  return fmin(x, y);
}
static __inline__ __host__ __device__ double max(float x, double y) {
  return fmax(x, y);
}
static __inline__ __host__ __device__ double min(double x, float y) {
  return fmin(x, y);
}
static __inline__ __host__ __device__ double max(double x, float y) {
  return fmax(x, y);
}
#define ASSAY_MIXED_MINIMUM_AND_MAXIMUM(first, second, type)                                                           \
  static __inline__ __host__ __device__ type min(first x, second y) {                                                  \
    return min(static_cast<type>(x), static_cast<type>(y));                                                            \
  }                                                                                                                    \
  static __inline__ __host__ __device__ type max(first x, second y) {                                                  \
    return max(static_cast<type>(x), static_cast<type>(y));                                                            \
  }
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(int, unsigned int, unsigned int)
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(unsigned int, int, unsigned int)
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(long, unsigned long, unsigned long)
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(unsigned long, long, unsigned long)
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(long long, unsigned long long, unsigned long long)
ASSAY_MIXED_MINIMUM_AND_MAXIMUM(unsigned long long, long long, unsigned long long)
#pragma pop_macro("ASSAY_MIXED_MINIMUM_AND_MAXIMUM")
#pragma pop_macro("ASSAY_MINIMUM_AND_MAXIMUM")

static __inline__ __host__ float rsqrtf(float x) {
  return 1.0F / sqrtf(x);
}
static __inline__ __host__ double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
