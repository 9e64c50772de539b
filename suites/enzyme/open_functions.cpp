// enzyme_inactive_noblock: functions that carry no derivative, and are looked into all the same.
#include "support/plugin_test.hpp"
#include <cmath>
#include <stdexcept>

extern "C" {
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
}

// Tools that read this file without the plugin do not know the attribute.
#pragma clang diagnostic ignored "-Wunknown-attributes"

namespace {

int written = 0;

__attribute__((enzyme_inactive_noblock)) double detached(double x) {
  return 3 * x;
}
[[enzyme::inactive_noblock]] void count(const double *x) {
  written += *x > 0;
}
__attribute__((enzyme_inactive_noblock)) double limit = 2;

__attribute__((enzyme_inactive_noblock, noinline)) double checked(double x) {
  if (x < 0)
    throw std::invalid_argument("negative");
  return x;
}
double guarded(double x) {
  try {
    return checked(x) * x;
  } catch (const std::invalid_argument &) {
    return -x;
  }
}

double product(double x) {
  return x * detached(x);
}
double counted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    count(x + i);
    sum += limit * std::sin(x[i]);
  }
  return sum;
}

} // namespace

PLUGIN_TEST(OpenFunctions, CarryNoDerivative) {
  EXPECT_CLOSE(__enzyme_autodiff((void *)product, 5.0), 15);
  EXPECT_CLOSE(__enzyme_fwddiff((void *)product, 5.0, 1.0), 15);
}
PLUGIN_TEST(OpenFunctions, KeepTheirEffects) {
  const double x[3] = {0.3, -0.2, 0.9};
  double dx[3] = {};
  written = 0;
  __enzyme_autodiff((void *)counted, enzyme_dup, x, dx, 3);
  EXPECT_HOLDS(written == 2);
  EXPECT_CLOSE(dx[1], 2 * std::cos(-0.2));
}
PLUGIN_TEST(OpenFunctions, MayThrow) {
  EXPECT_CLOSE(__enzyme_autodiff((void *)guarded, 3.0), 3);
  EXPECT_CLOSE(__enzyme_autodiff((void *)guarded, -3.0), -1);
}
