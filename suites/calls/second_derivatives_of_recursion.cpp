// Second derivatives through functions that are not inlined: a recursive function's gradient keeps a list of the
// shadows that are due for release, and calls their releases through pointers.
#include "support/heap_growth.hpp"
#include "support/second_order.hpp"
#include <cstdlib>
#include <vector>

namespace {

double integral(const double *x, double low, double high, int depth) {
  const double middle = (low + high) / 2;
  if (depth == 3)
    return std::sin(middle * x[0]) * x[1] * x[1] * (high - low);
  return integral(x, low, middle, depth + 1) + integral(x, middle, high, depth + 1);
}

double adaptive_integral(const double *x, int) {
  return integral(x, 0, 1 + x[2], 0);
}

/// Each level releases its memory before the caller goes on.
double halves(const double *values, int n) {
  if (n == 1)
    return values[0] * values[0];
  auto *sums = static_cast<double *>(std::malloc(sizeof(double) * (n / 2)));
  for (int i = 0; i < n / 2; ++i)
    sums[i] = values[2 * i] * values[2 * i + 1] + std::sin(values[2 * i]);
  const double result = halves(sums, n / 2);
  std::free(sums);
  return result;
}

double released_on_the_way(const double *x, int n) {
  return halves(x, n) * x[1];
}

double product_of_parts(std::vector<double> values) {
  if (values.size() == 1)
    return values[0];
  const auto middle = values.begin() + values.size() / 2;
  return product_of_parts({values.begin(), middle}) * std::exp(product_of_parts({middle, values.end()}));
}

double vectors_by_value(const double *x, int n) {
  return product_of_parts({x, x + n});
}

template <double (*program)(const double *, int)>
void expect_nothing_left() {
  EXPECT_NO_GROWTH([] {
    const double x[] = {0.4, 0.7, -0.3, 1.1}, direction[] = {1, 2, 3, 4};
    double gradient[4] = {}, product[4] = {};
    __enzyme_fwddiff<void>((void *)assay::suites::add_gradient<program>, enzyme_dup, x, direction, enzyme_dup, gradient,
                           product, enzyme_const, 4);
  });
}

} // namespace

PLUGIN_TEST(SecondDerivatives, of_a_recursive_function) {
  CHECK_SECOND_ORDER(adaptive_integral, 0.6, 0.8, 0.3);
}
PLUGIN_TEST(SecondDerivatives, of_recursion_that_releases_memory_on_the_way) {
  CHECK_SECOND_ORDER(released_on_the_way, 0.4, 0.7, -0.3, 1.1);
  expect_nothing_left<released_on_the_way>();
}
PLUGIN_TEST(SecondDerivatives, of_recursion_with_vectors_by_value) {
  CHECK_SECOND_ORDER(vectors_by_value, 0.4, 0.7, -0.3, 1.1);
  expect_nothing_left<vectors_by_value>();
}
