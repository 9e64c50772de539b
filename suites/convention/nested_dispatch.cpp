// Functions that are only known when the program runs, some of which are derivatives themselves.
#include "support/plugin_test.hpp"
#include <cmath>

extern "C" {
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
}

namespace {

using Function = double (*)(double);

double cube(double x) {
  return x * x * x;
}
double sine(double x) {
  return std::sin(x);
}
double cube_derivative(double x) {
  return __enzyme_autodiff((void *)cube, x);
}
double derivative_of(Function function, double x) {
  return __enzyme_fwddiff((void *)function, x, 1.0);
}
double sine_derivative(double x) {
  return derivative_of(sine, x);
}
Function table[] = {cube, sine, cube_derivative, sine_derivative};

__attribute__((noinline)) double gradient(int index, double x) {
  return __enzyme_autodiff((void *)table[index], x);
}

} // namespace

PLUGIN_TEST(NestedDispatch, CandidatesMayBeDerivatives) {
  const double x = 0.7;
  EXPECT_CLOSE(gradient(0, x), 3 * x * x);
  EXPECT_CLOSE(gradient(1, x), std::cos(x));
  EXPECT_CLOSE(gradient(2, x), 6 * x);
  EXPECT_CLOSE(gradient(3, x), -std::sin(x));
}
