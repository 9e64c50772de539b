// Mutable globals have shadows that the caller does not see: each derivative has to find them as if it were the first,
// whichever derivatives of the same run came before, and a second derivative needs those of both modes.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>
#include <vector>

namespace {

double total;
double history[4];
struct Mixed {
  const char *name;
  double sum;
  int count;
  double parts[2];
};
Mixed mixed[3];

[[gnu::noinline]] void step(double a, int index) {
  history[index & 3] = history[(index + 1) & 3] * 0.5 + a * a * a;
  total += history[index & 3] * a;
}
/// Sets all that it reads.
double from_the_beginning(const double *x, int n) {
  total = 0;
  for (double &element : history)
    element = x[0];
  for (int i = 0; i < 2 * n; ++i)
    step(x[i % n], i);
  return total;
}
/// Goes on from what earlier calls left.
[[gnu::noinline]] double going_on(double x) {
  total += x * x;
  history[1] += x;
  return total + history[1] * x;
}
[[gnu::noinline]] double going_on_in_structs(double x) {
  for (Mixed &entry : mixed) {
    entry.name = "entry";
    entry.count += 1;
    entry.sum += x * x;
    entry.parts[1] += x;
  }
  return mixed[2].sum + mixed[1].parts[1] * x;
}
std::vector<double> remembered(4, 1.0);
[[gnu::noinline]] double going_on_behind_a_pointer(double x) {
  for (double &element : remembered)
    element += x;
  return remembered[2] * x;
}

void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff<void>((void *)from_the_beginning, enzyme_dup, x, dx, enzyme_const, n);
}
double tangent_of_the_sum(double x) {
  return __enzyme_fwddiff<double>((void *)going_on, x, 1.0);
}

} // namespace

PLUGIN_TEST(ShadowsOfGlobals, NumbersOfAnEarlierDerivativeDoNotCount) {
  for (int round = 0; round < 3; ++round) {
    const double x = 1.5 + round;
    double expected = 2 * x + 2 * x + history[1];
    EXPECT_CLOSE(__enzyme_autodiff<double>((void *)going_on, x), expected);
    expected = 2 * x + 2 * x + history[1];
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)going_on, x, 1.0), expected);
  }
}
PLUGIN_TEST(ShadowsOfGlobals, NumbersAmongOtherFieldsDoNotCountEither) {
  for (int round = 0; round < 3; ++round) {
    const double x = 0.5 + round;
    double expected = 2 * x + 2 * x + mixed[1].parts[1];
    EXPECT_CLOSE(__enzyme_autodiff<double>((void *)going_on_in_structs, x), expected);
    expected = 2 * x + 2 * x + mixed[1].parts[1];
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)going_on_in_structs, x, 1.0), expected);
  }
}
PLUGIN_TEST(ShadowsOfGlobals, NumbersBehindPointersDoNotCountEither) {
  for (int round = 0; round < 3; ++round) {
    const double x = 0.5 + round;
    double expected = 2 * x + remembered[2];
    EXPECT_CLOSE(__enzyme_autodiff<double>((void *)going_on_behind_a_pointer, x), expected);
    expected = 2 * x + remembered[2];
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)going_on_behind_a_pointer, x, 1.0), expected);
  }
}
PLUGIN_TEST(ShadowsOfGlobals, TangentsAndAdjointsAreKeptApart) {
  constexpr int n = 3;
  double x[n] = {1.1, 0.4, 0.7}, v[n] = {1, 0.3, 0.2}, gradient_at_x[n] = {}, product[n] = {};
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x, v, enzyme_dup, gradient_at_x, product, enzyme_const, n);
  constexpr double step_size = 1e-5;
  double above[n], below[n], gradient_above[n] = {}, gradient_below[n] = {};
  for (int i = 0; i < n; ++i) {
    above[i] = x[i] + step_size * v[i];
    below[i] = x[i] - step_size * v[i];
  }
  gradient(above, gradient_above, n);
  gradient(below, gradient_below, n);
  for (int i = 0; i < n; ++i)
    EXPECT_HOLDS(std::abs(product[i] - (gradient_above[i] - gradient_below[i]) / (2 * step_size)) < 1e-6);
}
PLUGIN_TEST(ShadowsOfGlobals, TangentsOfTangentsAreKeptApart) {
  const double x = 1.5; // the derivative is 4 x and what the history has had until now, which does not move
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)tangent_of_the_sum, x, 1.0), 4);
}
