// Functions that return addresses and numbers in one struct, and are not inlined: the numbers' derivatives were lost.
// Derivatives of recursive functions are such functions, too: they return their tape and the primal's result.
#include "support/vector_program.hpp"

namespace {

struct Place {
  const double *at;
  double value;
};

__attribute__((noinline)) Place step_along(const double *x, int n) {
  if (n < 2)
    return {x + 1, std::sin(x[0])};
  Place place = step_along(x, n - 1);
  place.value *= place.at[0] * x[0];
  return place;
}

double recursive_place(const double *x, int n) {
  const Place place = step_along(x, n);
  return place.value * place.at[1];
}

struct Pair {
  double first;
  const double *at;
  double second;
};

__attribute__((noinline)) Pair step_in_pairs(const double *x, int n) {
  if (n < 2)
    return {x[0], x, x[1]};
  const Pair pair = step_in_pairs(x, n - 1);
  return {pair.second * pair.at[2], pair.at, pair.first + x[1]};
}

double recursive_pair(const double *x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i) {
    const Pair pair = step_in_pairs(x, i);
    sum += pair.first * pair.at[0] + pair.second;
  }
  return sum;
}

__attribute__((noinline)) double calls_itself_twice(double x, int n) {
  if (n < 2)
    return n == 1 ? x : 1 + x * x;
  return std::sin(calls_itself_twice(x, n - 1)) + x * calls_itself_twice(x, n - 2);
}

double first_derivative(double x, int n) {
  return __enzyme_autodiff<double>((void *)calls_itself_twice, enzyme_out, x, enzyme_const, n);
}

} // namespace

PLUGIN_TEST(MixedResults, KeepDerivativesOfNumbersBesideAddresses) {
  CHECK_FUNCTION(recursive_place, 0.7, -1.2, 0.4);
  CHECK_FUNCTION(recursive_pair, 0.7, -1.2, 0.4);
}

PLUGIN_TEST(MixedResults, HaveSecondDerivativesByReverseOverReverse) {
  for (int n = 2; n < 7; ++n) {
    const double x = 0.7;
    const double expected =
        assay::suites::central_difference([&](double change) { return first_derivative(x + change, n); });
    const double actual = __enzyme_autodiff<double>((void *)first_derivative, enzyme_out, x, enzyme_const, n);
    assay::suites::expect_near(actual, expected, 1e-7, "second derivative", __FILE__, __LINE__);
  }
}
