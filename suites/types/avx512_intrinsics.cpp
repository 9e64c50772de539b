// Programs written with the intrinsics of AVX-512. Each takes sixteen numbers; they run where the processor has them.
#include "support/vector_program.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))), apply_to = function)
namespace {

double weighted(__m512d v) {
  double r[8], sum = 0;
  _mm512_storeu_pd(r, v);
  for (int i = 0; i < 8; ++i)
    sum += (i + 1) * r[i] * (1 + r[(i + 3) % 8] * 0.1);
  return sum;
}
__m512d low(const double *x) {
  return _mm512_loadu_pd(x);
}
__m512d high(const double *x) {
  return _mm512_loadu_pd(x + 8);
}

double alternating(const double *x, int) {
  return weighted(_mm512_fmaddsub_pd(low(x), high(x), low(x))) + weighted(_mm512_fmsubadd_pd(high(x), low(x), high(x)));
}
double masked(const double *x, int) {
  const __m512d a = low(x), b = high(x);
  const __mmask8 less = _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
  return weighted(_mm512_mask_mul_pd(a, less, a, b)) + weighted(_mm512_maskz_fmadd_pd(0x5a, a, b, b)) +
         weighted(_mm512_mask_sqrt_pd(b, 0x0f, _mm512_mul_pd(a, a))) + weighted(_mm512_max_pd(a, b));
}
double permuted(const double *x, int) {
  const __m512i order = _mm512_set_epi64(0, 12, 4, 8, 1, 13, 5, 9);
  return weighted(_mm512_mul_pd(high(x), _mm512_permutexvar_pd(order, low(x)))) +
         weighted(_mm512_mul_pd(low(x), _mm512_permutex2var_pd(low(x), order, high(x)))) +
         weighted(_mm512_permutevar_pd(low(x), _mm512_set_epi64(2, 0, 2, 0, 0, 2, 2, 0)));
}
double packed(const double *x, int n) {
  const __mmask8 mask = static_cast<__mmask8>(0xb5 + n - 16);
  return weighted(_mm512_mul_pd(_mm512_maskz_compress_pd(mask, low(x)), high(x))) +
         weighted(_mm512_mul_pd(_mm512_mask_expand_pd(high(x), mask, low(x)), high(x)));
}
double gathered(const double *x, int) {
  const __m256i places = _mm256_set_epi32(0, 2, 14, 6, 1, 3, 15, 7);
  return weighted(_mm512_mul_pd(low(x), _mm512_i32gather_pd(places, x, 8))) +
         weighted(_mm512_mask_i64gather_pd(high(x), 0x3c, _mm512_set_epi64(0, 2, 4, 6, 1, 3, 5, 7), x, 8));
}
double scattered(const double *x, int) {
  double r[16];
  for (int i = 0; i < 16; ++i)
    r[i] = x[i] * x[i];
  _mm512_i32scatter_pd(r, _mm256_set_epi32(0, 2, 14, 6, 1, 3, 15, 7), _mm512_mul_pd(low(x), high(x)), 8);
  _mm512_mask_i64scatter_pd(r, 0x81, _mm512_set_epi64(8, 2, 4, 6, 1, 3, 5, 9), low(x), 8);
  double sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += (i + 1) * r[i] * x[15 - i];
  return sum;
}
double converted(const double *x, int) {
  const __m512d back = _mm512_cvtps_pd(_mm512_cvtpd_ps(_mm512_mul_pd(low(x), high(x))));
  return weighted(back) + weighted(_mm512_cvtps_pd(_mm512_maskz_cvtpd_ps(0x77, low(x))));
}
double approximations(const double *x, int) {
  const __m128d first = _mm_rsqrt14_sd(_mm_loadu_pd(x), _mm_loadu_pd(x + 2));
  return _mm512_reduce_add_pd(_mm512_rsqrt14_pd(low(x))) +
         _mm512_reduce_add_pd(_mm512_mask_rcp14_pd(low(x), 0xf0, high(x))) + first[0];
}

} // namespace
#pragma clang attribute pop
namespace {

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

constexpr assay::suites::Numbers<16> numbers{1.0,  2.0, 3.0, 4.25, 0.5, 1.25, 2.5, 0.75,
                                             1.75, 1.5, 3.5, 2.25, 0.4, 1.1,  2.7, 0.6};

template <double (*program)(const double *, int)>
void check(double tolerance, const char *file, int line) {
  if (has_avx512())
    assay::suites::check_function<program>(numbers, file, line, tolerance);
}

} // namespace

PLUGIN_TEST(Avx512Intrinsics, AlternatingProducts) {
  check<alternating>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Masks) {
  check<masked>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Permutations) {
  check<permuted>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, CompressedAndExpanded) {
  check<packed>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Gathers) {
  check<gathered>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Scatters) {
  check<scattered>(1e-9, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Conversions) {
  check<converted>(2e-2, __FILE__, __LINE__);
}
PLUGIN_TEST(Avx512Intrinsics, Approximations) { // too rough for differences
  if (!has_avx512())
    return;
  double gradient[16] = {};
  __enzyme_autodiff<void>((void *)approximations, enzyme_dup, numbers.data(), gradient, enzyme_const, 16);
  for (std::size_t i = 0; i < 16; ++i) {
    const double x = numbers[i], slope_of_root = -0.5 / (x * std::sqrt(x));
    double expected = i < 8 ? slope_of_root + (i < 4 ? 1 : 0) : i < 12 ? 0 : -1 / (x * x);
    if (i == 2)
      expected += slope_of_root;
    assay::suites::expect_near_element(gradient[i], expected, 1e-3, "gradient", i, __FILE__, __LINE__);
  }
}
#endif
