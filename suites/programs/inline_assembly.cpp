// Inline assembly as vector libraries write it: single instructions, and statements that only hold back the optimiser.
#include "support/vector_program.hpp"
#if defined(__x86_64__) && defined(__SSE2__)
#include <immintrin.h>
namespace {
__m128d largest(__m128d a, __m128d b) {
  __m128d result = b;
  asm("maxpd %1, %0" : "+x"(result) : "x"(a));
  return result;
}
__m128d smallest(__m128d a, __m128d b) {
  __m128d result = b;
  asm("minpd %1, %0" : "+x"(result) : "x"(a));
  return result;
}
double extremes(const double *x, int n) {
  __m128d high = _mm_set1_pd(-1e300), low = _mm_set1_pd(1e300);
  for (int i = 0; i + 1 < n; i += 2) {
    high = largest(_mm_loadu_pd(x + i), high);
    low = smallest(_mm_loadu_pd(x + i), low);
  }
  double ends[4];
  _mm_storeu_pd(ends, high);
  _mm_storeu_pd(ends + 2, low);
  return ends[0] * ends[1] - ends[2] * ends[3] * ends[3];
}
double root(double v) {
  double result;
  asm("sqrtsd %1, %0" : "=x"(result) : "x"(v));
  return result;
}
double quotient(double a, double b) {
  asm("divsd %1, %0" : "+x"(a) : "x"(b));
  return a;
}
double held_back(double v) {
  asm volatile("" : "+x"(v));
  return v;
}
double scalars(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = held_back(sum + root(2 + x[i]) * quotient(x[i], 3 + x[0]));
    asm volatile("" : : "r"(x) : "memory");
  }
  return sum;
}
} // namespace
PLUGIN_TEST(InlineAssembly, PackedMinimaAndMaxima) {
  CHECK_FUNCTION(extremes, 0.3, 1.2, -0.4, 0.9, 0.7, -0.2);
}
PLUGIN_TEST(InlineAssembly, ScalarInstructionsAndBarriers) {
  CHECK_FUNCTION(scalars, 0.3, 1.2, -0.4);
}
#endif
#if defined(__x86_64__) && defined(__FMA__)
namespace {
double fused(const double *x, int n) {
  __m256d sum = _mm256_set1_pd(0.5);
  const __m256d a = _mm256_loadu_pd(x), b = _mm256_set1_pd(x[n - 1]);
  asm("vfmadd231pd %[a], %[b], %[c]" : [c] "+x"(sum) : [a] "x"(a), [b] "x"(b));
  asm("vfnmadd213pd %[a], %[b], %[c]" : [c] "+x"(sum) : [a] "x"(a), [b] "x"(b));
  double lanes[4];
  _mm256_storeu_pd(lanes, sum);
  return lanes[0] * lanes[1] + lanes[2] - lanes[3];
}
} // namespace
PLUGIN_TEST(InlineAssembly, FusedMultiplication) {
  CHECK_FUNCTION(fused, 0.3, 1.2, -0.4, 0.9, 0.7);
}
#endif
