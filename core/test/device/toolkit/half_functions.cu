// Functions of the toolkit's headers on numbers of 16 bits, differentiated both ways. One part is compiled at a time:
// ptxas takes long over many kernels in one file.
#include <assay/gpu.hpp>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define HALF 1
#define BFLOAT 2
#define HALF_PAIR 3
#define BFLOAT_PAIR 4
#define ATOMIC 5

#define DIFFERENTIATED(NAME, T, EXPRESSION)                                                                            \
  __device__ void NAME(const T *x, T *y) {                                                                             \
    const int i = threadIdx.x;                                                                                         \
    const T a = x[i], b = x[i + 1], c = x[i + 2];                                                                      \
    y[i] = EXPRESSION;                                                                                                 \
  }                                                                                                                    \
  __global__ void NAME##_gradient(const T *x, T *dx, T *y, T *dy) {                                                    \
    assay::autodiff_deferred<assay::Reverse>(NAME, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});                \
  }                                                                                                                    \
  __global__ void NAME##_tangent(const T *x, T *dx, T *y, T *dy) {                                                     \
    assay::autodiff_deferred<assay::Forward>(NAME, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});                \
  }

#define SCALARS(P, T, TO, FROM)                                                                                        \
  DIFFERENTIATED(P##_sum, T, a + b - c)                                                                                \
  DIFFERENTIATED(P##_product, T, a *b)                                                                                 \
  DIFFERENTIATED(P##_quotient, T, a / b)                                                                               \
  DIFFERENTIATED(P##_div, T, __hdiv(a, b))                                                                             \
  DIFFERENTIATED(P##_neg, T, -a)                                                                                       \
  DIFFERENTIATED(P##_abs, T, __habs(a))                                                                                \
  DIFFERENTIATED(P##_add_rn, T, __hadd_rn(a, b))                                                                       \
  DIFFERENTIATED(P##_mul_rn, T, __hmul_rn(a, b))                                                                       \
  DIFFERENTIATED(P##_add_sat, T, __hadd_sat(a, b))                                                                     \
  DIFFERENTIATED(P##_sub_sat, T, __hsub_sat(a, b))                                                                     \
  DIFFERENTIATED(P##_mul_sat, T, __hmul_sat(a, b))                                                                     \
  DIFFERENTIATED(P##_exp, T, hexp(a))                                                                                  \
  DIFFERENTIATED(P##_exp2, T, hexp2(a))                                                                                \
  DIFFERENTIATED(P##_exp10, T, hexp10(a))                                                                              \
  DIFFERENTIATED(P##_log, T, hlog(a))                                                                                  \
  DIFFERENTIATED(P##_log2, T, hlog2(a))                                                                                \
  DIFFERENTIATED(P##_log10, T, hlog10(a))                                                                              \
  DIFFERENTIATED(P##_sqrt, T, hsqrt(a))                                                                                \
  DIFFERENTIATED(P##_rsqrt, T, hrsqrt(a))                                                                              \
  DIFFERENTIATED(P##_rcp, T, hrcp(a))                                                                                  \
  DIFFERENTIATED(P##_sin, T, hsin(a))                                                                                  \
  DIFFERENTIATED(P##_cos, T, hcos(a))                                                                                  \
  DIFFERENTIATED(P##_tanh, T, htanh(a))                                                                                \
  DIFFERENTIATED(P##_tanh_approx, T, htanh_approx(a))                                                                  \
  DIFFERENTIATED(P##_max, T, __hmax(a, b))                                                                             \
  DIFFERENTIATED(P##_min, T, __hmin(a, b))                                                                             \
  DIFFERENTIATED(P##_max_nan, T, __hmax_nan(a, b))                                                                     \
  DIFFERENTIATED(P##_min_nan, T, __hmin_nan(a, b))                                                                     \
  DIFFERENTIATED(P##_chosen, T, a > b || a == c ? a * b : b < c && a != b ? b * c : c <= a || a >= b ? b : c)          \
  DIFFERENTIATED(P##_unordered, T, __hgtu(a, b) || __hequ(a, c) ? a * b : __hltu(b, c) && __hneu(a, b) ? b * c : c)    \
  DIFFERENTIATED(P##_isnan, T, __hisnan(a) || __hisinf(b) ? b : a * b)                                                 \
  DIFFERENTIATED(P##_through_float, T, TO(FROM(a) * FROM(b) + sinf(FROM(c))))                                          \
  DIFFERENTIATED(P##_through_double, T, T(double(FROM(a)) * 2.5))                                                      \
  DIFFERENTIATED(P##_floor, T, hfloor(a) * b)                                                                          \
  DIFFERENTIATED(P##_ceil, T, hceil(a) * b)                                                                            \
  DIFFERENTIATED(P##_trunc, T, htrunc(a) * b)                                                                          \
  DIFFERENTIATED(P##_rint, T, hrint(a) * b)                                                                            \
  DIFFERENTIATED(P##_of_integer, T, T(int(FROM(a))) * b)                                                               \
  DIFFERENTIATED(P##_to_integer, T, T((int)a) * b)                                                                     \
  DIFFERENTIATED(P##_to_short, T, T((short)a) * b)                                                                     \
  DIFFERENTIATED(P##_to_unsigned, T, T((unsigned)a) * b)                                                               \
  DIFFERENTIATED(P##_to_long, T, T((long long)a) * b)                                                                  \
  DIFFERENTIATED(P##_to_char, T, T((int)(signed char)a) * b)                                                           \
  DIFFERENTIATED(P##_ldg, T, __ldg(x + i) * __ldcg(x + i + 1) * __ldca(x + i) * __ldcs(x + i) * __ldlu(x + i))         \
  DIFFERENTIATED(P##_shfl, T, __shfl_sync(0xffffffffU, a *b, 3) + __shfl_xor_sync(0xffffffffU, b, 1))                  \
  DIFFERENTIATED(P##_shfl_up, T, __shfl_up_sync(0xffffffffU, a *b, 3) + __shfl_down_sync(0xffffffffU, b, 1))

#define PAIRS(P, T, H, HALVES, LOW, HIGH, DUP, LOWLOW, HIGHHIGH, LOWS, HIGHS, SWAP, FLOATS, TOFLOATS, LOWF, HIGHF)     \
  DIFFERENTIATED(P##_sum, T, a + b - c)                                                                                \
  DIFFERENTIATED(P##_product, T, a *b)                                                                                 \
  DIFFERENTIATED(P##_quotient, T, a / b)                                                                               \
  DIFFERENTIATED(P##_neg, T, -a)                                                                                       \
  DIFFERENTIATED(P##_abs, T, __habs2(a))                                                                               \
  DIFFERENTIATED(P##_add_sat, T, __hadd2_sat(a, b))                                                                    \
  DIFFERENTIATED(P##_mul_sat, T, __hmul2_sat(a, b))                                                                    \
  DIFFERENTIATED(P##_exp, T, h2exp(a))                                                                                 \
  DIFFERENTIATED(P##_exp2, T, h2exp2(a))                                                                               \
  DIFFERENTIATED(P##_exp10, T, h2exp10(a))                                                                             \
  DIFFERENTIATED(P##_log, T, h2log(a))                                                                                 \
  DIFFERENTIATED(P##_log2, T, h2log2(a))                                                                               \
  DIFFERENTIATED(P##_log10, T, h2log10(a))                                                                             \
  DIFFERENTIATED(P##_sqrt, T, h2sqrt(a))                                                                               \
  DIFFERENTIATED(P##_rsqrt, T, h2rsqrt(a))                                                                             \
  DIFFERENTIATED(P##_rcp, T, h2rcp(a))                                                                                 \
  DIFFERENTIATED(P##_sin, T, h2sin(a))                                                                                 \
  DIFFERENTIATED(P##_cos, T, h2cos(a))                                                                                 \
  DIFFERENTIATED(P##_tanh, T, h2tanh(a))                                                                               \
  DIFFERENTIATED(P##_tanh_approx, T, h2tanh_approx(a))                                                                 \
  DIFFERENTIATED(P##_max, T, __hmax2(a, b))                                                                            \
  DIFFERENTIATED(P##_min, T, __hmin2(a, b))                                                                            \
  DIFFERENTIATED(P##_max_nan, T, __hmax2_nan(a, b))                                                                    \
  DIFFERENTIATED(P##_compared, T, __hgt2(a, b) * a + __heq2(a, c) * b)                                                 \
  DIFFERENTIATED(P##_masked, T, __hgt2_mask(a, b) ? a : b *c)                                                          \
  DIFFERENTIATED(P##_chosen, T, __hbgt2(a, b) ? a *b : __hble2(b, c) ? b *c : __hisnan2(a) * b)                        \
  DIFFERENTIATED(P##_halves, T, HALVES(LOW(a) * HIGH(b), HIGH(a) + LOW(b)))                                            \
  DIFFERENTIATED(P##_members, T, T(a.x *b.y, a.y + b.x))                                                               \
  DIFFERENTIATED(P##_dup, T, DUP(LOW(a)) * LOWLOW(b) + HIGHHIGH(c))                                                    \
  DIFFERENTIATED(P##_lows, T, LOWS(a, b) * HIGHS(b, c) + SWAP(a))                                                      \
  DIFFERENTIATED(P##_floats, T, FLOATS(LOWF(a) * HIGHF(b), TOFLOATS(c).x * TOFLOATS(a).y))                             \
  DIFFERENTIATED(P##_floor, T, h2floor(a) * b)                                                                         \
  DIFFERENTIATED(P##_ldg, T, __ldg(x + i) * __ldcg(x + i + 1))                                                         \
  DIFFERENTIATED(P##_shfl, T, __shfl_xor_sync(0xffffffffU, a *b, 1))

#define ATOMICS(P, T)                                                                                                  \
  __device__ void P##_atomic(const T *x, T *y) {                                                                       \
    atomicAdd(y, x[threadIdx.x] * x[threadIdx.x]);                                                                     \
  }                                                                                                                    \
  __global__ void P##_atomic_gradient(const T *x, T *dx, T *y, T *dy) {                                                \
    assay::autodiff_deferred<assay::Reverse>(P##_atomic, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});          \
  }                                                                                                                    \
  __global__ void P##_atomic_tangent(const T *x, T *dx, T *y, T *dy) {                                                 \
    assay::autodiff_deferred<assay::Forward>(P##_atomic, assay::Duplicated{x, dx}, assay::Duplicated{y, dy});          \
  }

#if PART == HALF
SCALARS(half, __half, __float2half, __half2float)
DIFFERENTIATED(half_fma, __half, __hfma(a, b, c))
DIFFERENTIATED(half_fma_sat, __half, __hfma_sat(a, b, c))
DIFFERENTIATED(half_fma_relu, __half, __hfma_relu(a, b, c))
DIFFERENTIATED(half_rz, __half, __float2half_rz(__half2float(a) * 3))
#elif PART == BFLOAT
SCALARS(bfloat, __nv_bfloat16, __float2bfloat16, __bfloat162float)
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
DIFFERENTIATED(bfloat_fma, __nv_bfloat16, __hfma(a, b, c))
DIFFERENTIATED(bfloat_fma_sat, __nv_bfloat16, __hfma_sat(a, b, c))
DIFFERENTIATED(bfloat_fma_relu, __nv_bfloat16, __hfma_relu(a, b, c))
#endif
DIFFERENTIATED(bfloat_rz, __nv_bfloat16, __float2bfloat16_rz(__bfloat162float(a) * 3))
#elif PART == HALF_PAIR
PAIRS(half2, __half2, __half, __halves2half2, __low2half, __high2half, __half2half2, __low2half2, __high2half2,
      __lows2half2, __highs2half2, __lowhigh2highlow, __floats2half2_rn, __half22float2, __low2float, __high2float)
DIFFERENTIATED(half2_fma, __half2, __hfma2(a, b, c))
DIFFERENTIATED(half2_fma_sat, __half2, __hfma2_sat(a, b, c))
DIFFERENTIATED(half2_fma_relu, __half2, __hfma2_relu(a, b, c))
DIFFERENTIATED(half2_cmadd, __half2, __hcmadd(a, b, c))
#elif PART == BFLOAT_PAIR
PAIRS(bfloat2, __nv_bfloat162, __nv_bfloat16, __halves2bfloat162, __low2bfloat16, __high2bfloat16, __bfloat162bfloat162,
      __low2bfloat162, __high2bfloat162, __lows2bfloat162, __highs2bfloat162, __lowhigh2highlow, __floats2bfloat162_rn,
      __bfloat1622float2, __low2float, __high2float)
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
DIFFERENTIATED(bfloat2_fma, __nv_bfloat162, __hfma2(a, b, c))
DIFFERENTIATED(bfloat2_fma_relu, __nv_bfloat162, __hfma2_relu(a, b, c))
DIFFERENTIATED(bfloat2_cmadd, __nv_bfloat162, __hcmadd(a, b, c))
#endif
#elif PART == ATOMIC
ATOMICS(half, __half)
ATOMICS(half2, __half2)
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__) // others add in loops
ATOMICS(bfloat, __nv_bfloat16)
#endif
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
ATOMICS(bfloat2, __nv_bfloat162)
#endif
#endif
