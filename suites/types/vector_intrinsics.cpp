// Programs written with the intrinsics of x86's vector instructions. Each takes four numbers.
#include "support/vector_program.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
namespace {

double weighted(__m256d v) {
  double r[4];
  _mm256_storeu_pd(r, v);
  return r[0] + 2 * r[1] * r[1] + 3 * r[2] + 4 * r[3] * r[0];
}
double weighted(__m128 v) {
  float r[4];
  _mm_storeu_ps(r, v);
  return double(r[0]) + 2 * double(r[1]) + 3 * double(r[2]) + 4 * double(r[3]);
}
__m128 narrow(const double *x) {
  return _mm256_cvtpd_ps(_mm256_loadu_pd(x));
}

double horizontal(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_mul_pd(a, a);
  __m128d low = _mm256_castpd256_pd128(a), high = _mm256_extractf128_pd(b, 1);
  return weighted(_mm256_hadd_pd(a, b)) + weighted(_mm256_hsub_pd(b, a)) + _mm_cvtsd_f64(_mm_hadd_pd(low, high));
}
double fused(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_permute4x64_pd(a, 0x1b);
  return weighted(_mm256_fmadd_pd(a, b, a)) + weighted(_mm256_fmaddsub_pd(a, b, b)) +
         weighted(_mm256_addsub_pd(a, _mm256_mul_pd(b, b)));
}
double products(const double *x, int) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2);
  return _mm_cvtsd_f64(_mm_dp_pd(a, b, 0x31)) * _mm_cvtsd_f64(_mm_dp_pd(a, a, 0x21));
}
double masks(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x), greater = _mm256_cmp_pd(a, _mm256_set1_pd(1.5), _CMP_GT_OQ);
  __m256d squares = _mm256_mul_pd(a, a), chosen = _mm256_blendv_pd(a, squares, greater);
  return weighted(_mm256_add_pd(chosen, _mm256_andnot_pd(greater, a))) + weighted(_mm256_and_pd(greater, squares));
}
double extremes(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_permute4x64_pd(a, 0x4e);
  __m128d one = _mm_max_sd(_mm256_castpd256_pd128(a), _mm256_castpd256_pd128(b));
  return weighted(_mm256_div_pd(_mm256_max_pd(a, b), _mm256_sqrt_pd(_mm256_min_pd(a, b)))) * _mm_cvtsd_f64(one);
}
double signs(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x), sign = _mm256_set1_pd(-0.0);
  return weighted(_mm256_mul_pd(_mm256_andnot_pd(sign, a), _mm256_xor_pd(sign, a)));
}
double constant_mask(const double *x, int) {
  const __m256i mask = _mm256_set_epi64x(0, -1, -1, -1);
  double r[4] = {0, 0, 0, 1};
  __m256d a = _mm256_maskload_pd(x, mask);
  _mm256_maskstore_pd(r, mask, _mm256_mul_pd(a, a));
  return r[0] + 2 * r[1] + 3 * r[2] * r[3];
}
double tail(const double *x, int n) { // the last, incomplete vector of a loop
  double r[5] = {};
  for (int i = 0; i < n; i += 4) {
    const __m256i left = _mm256_set1_epi64x(n - i);
    const __m256i mask = _mm256_cmpgt_epi64(left, _mm256_set_epi64x(3, 2, 1, 0));
    __m256d a = _mm256_maskload_pd(x + i, mask);
    _mm256_maskstore_pd(r + i, mask, _mm256_mul_pd(a, a));
  }
  return r[0] + 2 * r[1] + 3 * r[2] * r[4] + r[3];
}
double gathered(const double *x, int) {
  const __m128i where = _mm_set_epi32(0, 3, 1, 2);
  __m256d all = _mm256_i32gather_pd(x, where, 8), a = _mm256_loadu_pd(x);
  __m256d some = _mm256_mask_i32gather_pd(a, x, where, _mm256_cmp_pd(a, all, _CMP_LT_OQ), 8);
  return weighted(_mm256_mul_pd(all, all)) + weighted(some);
}
double permuted(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x);
  __m256i order = _mm256_set_epi64x(0, 2, 2, x[0] > 0 ? 2 : 0);
  __m256d swapped = _mm256_permutevar_pd(a, order);
  return weighted(_mm256_mul_pd(swapped, _mm256_shuffle_pd(a, swapped, 5)));
}
double rounded(const double *x, int) {
  __m256d a = _mm256_loadu_pd(x);
  __m256d down = _mm256_sub_pd(a, _mm256_floor_pd(a)), near = _mm256_sub_pd(a, _mm256_round_pd(a, 0x8));
  __m128d low = _mm256_castpd256_pd128(a);
  return weighted(_mm256_mul_pd(down, near)) + _mm_cvtsd_f64(_mm_sub_sd(low, _mm_floor_sd(low, low)));
}
double moved_as_integers(const double *x, int) {
  __m256i v = _mm256_permute4x64_epi64(_mm256_castpd_si256(_mm256_loadu_pd(x)), 0x39);
  double r[4];
  _mm256_storeu_si256((__m256i *)r, _mm256_unpacklo_epi64(v, _mm256_loadu_si256((const __m256i *)x)));
  return r[0] * r[1] + r[2] * r[3];
}
double single_precision(const double *x, int) {
  __m128 a = narrow(x), b = _mm_hadd_ps(a, _mm_mul_ps(a, a));
  b = _mm_insert_ps(b, a, 0x90);
  return weighted(_mm_mul_ps(_mm_movehdup_ps(b), _mm_shuffle_ps(a, b, 0x1b))) + weighted(_mm_dp_ps(a, b, 0x73));
}
double approximations(const double *x, int) {
  __m128 a = narrow(x);
  return weighted(_mm_rcp_ps(a)) + weighted(_mm_rsqrt_ss(a));
}

} // namespace
#pragma clang attribute pop

#define CHECK_VECTOR(...)                                                                                              \
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                                                 \
  CHECK_FUNCTION(__VA_ARGS__)
#define CHECK_VECTOR_FLOAT(program)                                                                                    \
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))                                                 \
  assay::suites::check_function<program>(std::array{1.0, 2.25, 3.5, 4.25}, __FILE__, __LINE__, 2e-2)

PLUGIN_TEST(VectorIntrinsics, HorizontalSums) {
  CHECK_VECTOR(horizontal, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, FusedProducts) {
  CHECK_VECTOR(fused, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, DotProducts) {
  CHECK_VECTOR(products, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, Masks) {
  CHECK_VECTOR(masks, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, Extremes) {
  CHECK_VECTOR(extremes, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, Signs) {
  CHECK_VECTOR(signs, 1.0, -2.0, 3.0, -4.25);
}
PLUGIN_TEST(VectorIntrinsics, ConstantMask) {
  CHECK_VECTOR(constant_mask, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, TailOfALoop) {
  CHECK_VECTOR(tail, 1.0, 2.0, 3.0, 4.25, 0.5);
}
PLUGIN_TEST(VectorIntrinsics, Gathers) {
  CHECK_VECTOR(gathered, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, VariablePermutation) {
  CHECK_VECTOR(permuted, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, Rounding) {
  CHECK_VECTOR(rounded, 1.2, 2.3, 3.4, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, MovesAsIntegers) {
  CHECK_VECTOR(moved_as_integers, 1.0, 2.0, 3.0, 4.25);
}
PLUGIN_TEST(VectorIntrinsics, SinglePrecision) {
  CHECK_VECTOR_FLOAT(single_precision);
}
PLUGIN_TEST(VectorIntrinsics, Approximations) { // too rough for differences
  if (!__builtin_cpu_supports("avx2"))
    return;
  const double x[4] = {1.0, 2.25, 3.5, 4.25};
  double gradient[4] = {};
  __enzyme_autodiff<void>((void *)approximations, enzyme_dup, x, gradient, enzyme_const, 4);
  const double expected[4] = {-1 - 0.5, -2 / (x[1] * x[1]) + 2, -3 / (x[2] * x[2]) + 3, -4 / (x[3] * x[3]) + 4};
  for (std::size_t i = 0; i < 4; ++i)
    assay::suites::expect_near_element(gradient[i], expected[i], 1e-3, "gradient", i, __FILE__, __LINE__);
}
#endif
