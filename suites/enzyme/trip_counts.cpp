// __enzyme_iter(n, more): one more term where a truncated series is differentiated.
#include "support/plugin_test.hpp"

extern "C" {
extern int enzyme_dup, enzyme_primal_return;
int __enzyme_iter(int, int);
long __enzyme_iter_long(long, long);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
}

namespace {

/// The first terms of the exponential series: its derivative with one more term is the series itself.
double series(double x) {
  double sum = 0, term = 1;
  const int terms = __enzyme_iter(6, 1);
  for (int k = 0; k < terms; ++k) {
    sum += term;
    term *= x / (k + 1);
  }
  return sum;
}
double geometric(const double *x, long n) {
  double sum = 0, term = 1;
  for (long k = 0; k < __enzyme_iter_long(n, n); ++k) {
    sum += term;
    term *= *x;
  }
  return sum;
}
double twice_the_series(double x) {
  return 2 * series(x);
}

} // namespace

PLUGIN_TEST(TripCounts, AreLargerInWhatIsDifferentiated) {
  const double x = 0.7, value = series(x);
  EXPECT_CLOSE(value, 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5)))));
  EXPECT_CLOSE(__enzyme_autodiff((void *)series, x), value);
  EXPECT_CLOSE(__enzyme_fwddiff((void *)series, x, 1.0), value);
  EXPECT_CLOSE(__enzyme_autodiff((void *)twice_the_series, x), 2 * value);
}
PLUGIN_TEST(TripCounts, ThatAreOnlyKnownWhenTheProgramRuns) {
  const double x = 0.5;
  double dx = 0;
  EXPECT_CLOSE(geometric(&x, 3), 1.75);
  __enzyme_autodiff((void *)geometric, enzyme_dup, &x, &dx, 3L);
  EXPECT_CLOSE(dx, 1 + 2 * x + 3 * x * x + 4 * x * x * x + 5 * x * x * x * x);
}
