// The accuracy sweep itself: it measures what it says, and finite differences are as good as they are said to be.
#include "fdm/accuracy/functions.hpp"
#include "fdm/accuracy/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::fdm::accuracy {
namespace {

template <class Function>
void expect_derivatives_fit_together() {
  for (const double x : Function::points)
    for (int order = 0; order < 5; ++order) {
      const long double h = 1e-5L, at = x;
      const long double slope = (Function::derivative(at + h, order) - Function::derivative(at - h, order)) / (2 * h);
      const long double truth = Function::derivative(at, order + 1);
      EXPECT_NEAR(static_cast<double>(slope / truth), 1, 1e-5) << Function::name << " order " << order << " at " << x;
    }
}

TEST(Sweep, ClosedFormsAreDerivativesOfEachOther) {
  expect_derivatives_fit_together<Exponential>();
  expect_derivatives_fit_together<Sine>();
  expect_derivatives_fit_together<Logarithm>();
  expect_derivatives_fit_together<Reciprocal>();
  expect_derivatives_fit_together<SquareRoot>();
  expect_derivatives_fit_together<Gaussian>();
  expect_derivatives_fit_together<Power>();
}

void expect_every_method(const Sweep &sweep) {
  std::map<std::string, std::size_t> count;
  for (const Measurement &one : sweep.adapted)
    ++count[one.precision];
  EXPECT_EQ(count.size(), precisions().size());
  for (const auto &[precision, measurements] : count)
    EXPECT_EQ(measurements, 21U * (10 + 9 + 8 + 7)) << precision;
}

void expect_honest_estimates(const Sweep &sweep) {
  std::map<std::string, std::pair<int, int>> bounded;
  for (const Measurement &one : sweep.adapted) {
    auto &[good, all] = bounded[one.precision];
    good += one.error <= one.estimate ? 1 : 0;
    ++all;
  }
  for (const auto &[precision, counts] : bounded)
    EXPECT_GE(counts.first, 0.95 * counts.second) << precision;
}

double median_error_of(const Sweep &sweep, const std::string &precision, int order, int derivative) {
  std::vector<double> errors;
  for (const Measurement &one : sweep.adapted)
    if (one.precision == precision && one.order == order && one.derivative == derivative)
      errors.push_back(one.error);
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
  return errors[errors.size() / 2];
}

void expect_digits(const Sweep &sweep) {
  const auto median_error = [&](const std::string &precision, int order, int derivative) {
    return median_error_of(sweep, precision, order, derivative);
  };
  EXPECT_LT(median_error("float", 5, 1), 1e-5);
  EXPECT_LT(median_error("double", 5, 1), 1e-11);
  EXPECT_LT(median_error("double", 9, 1), 1e-12);
  EXPECT_LT(median_error("long double", 5, 1), 1e-13);
  EXPECT_LT(median_error("quad", 5, 1), 1e-25);
  EXPECT_LT(median_error("50 digits", 5, 1), 1e-37);
  EXPECT_LT(median_error("50 digits", 11, 1), 1e-42);
  EXPECT_LT(median_error("double", 8, 4), 1e-4);
}

void expect_powers_of_the_step(const Sweep &sweep) {
  for (int order = 3; order <= 7; order += 2) {
    std::map<double, double> errors;
    for (const Measurement &one : sweep.steps)
      if (one.order == order && one.precision == "double")
        errors[std::round(4 * std::log10(one.step))] = one.error;
    EXPECT_NEAR(std::log10(errors.at(-2) / errors.at(-4)), 0.5 * (order - 1), 0.1) << order;
  }
}

// One test, since the sweep takes some seconds: all methods are measured, nineteen of twenty error estimates bound the
// error, every precision gives its share of digits, and truncation errors fall with the power of the order.
TEST(Sweep, FindsDifferencesAsAccurateAsTheyAreSaidToBe) {
  const Sweep sweep = run_sweep();
  expect_every_method(sweep);
  expect_honest_estimates(sweep);
  expect_digits(sweep);
  expect_powers_of_the_step(sweep);
}

} // namespace
} // namespace assay::fdm::accuracy
