// Finite differences in long types, against closed forms in the same types.
#include <assay/fdm.hpp>
#include <assay/fdm/multiprecision.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace assay::fdm {
namespace {

using boost::multiprecision::cpp_bin_float_quad;
using boost::multiprecision::cpp_dec_float_50;

template <class T>
double relative_error(const T &value, const T &truth) {
  return static_cast<double>(T(fabs(T(value - truth)) / fabs(truth)));
}

template <class T>
void expect_digits(const FiniteDifferenceMethod &method, double tolerance) {
  for (const double point : {-1.75, 0.3, 2.5}) {
    const T x = point;
    const auto sine = method([](const T &at) { return T(sin(at)); }, x);
    EXPECT_TRUE(sine.reliable()) << describe(sine.trouble);
    EXPECT_LT(relative_error(sine.value, T(cos(x))), tolerance) << point;
    EXPECT_LE(T(fabs(T(sine.value - cos(x)))), sine.error) << point;
    const auto exponential = method([](const T &at) { return T(exp(at)); }, x);
    EXPECT_LT(relative_error(exponential.value, T(exp(x))), tolerance) << point;
  }
}

TEST(Multiprecision, QuadHasTwentyFiveDigits) {
  expect_digits<cpp_bin_float_quad>(central_fdm(5, 1), 1e-25);
}

TEST(Multiprecision, FiftyDecimalDigitsGiveForty) {
  expect_digits<cpp_dec_float_50>(central_fdm(5, 1), 1e-37);
  expect_digits<cpp_dec_float_50>(central_fdm(9, 1), 1e-42);
}

TEST(Multiprecision, CoefficientsAreNotThoseOfLongDouble) {
  // 1/12 in long double would leave an error of 1e-20.
  const auto cube =
      central_fdm(5, 1)([](const cpp_dec_float_50 &x) { return cpp_dec_float_50(x * x * x); }, cpp_dec_float_50("0.1"));
  EXPECT_LT(relative_error(cube.value, cpp_dec_float_50("0.03")), 1e-38);
}

TEST(Multiprecision, SecondDerivativesAndExtrapolationWorkToo) {
  using T = cpp_bin_float_quad;
  const auto f = [](const T &x) { return T(exp(T(2 * x))); };
  const T truth = 4 * exp(T(2));
  EXPECT_LT(relative_error(central_fdm(7, 2)(f, T(1)).value, truth), 1e-21);
  EXPECT_LT(relative_error(extrapolate_fdm(central_fdm(3, 1), f, T(1), {.most_levels = 30}).value, T(truth / 2)),
            1e-28);
  EXPECT_LT(relative_error(central_fdm(5, 1).at_step(f, T(1), T(1e-6)).value, T(truth / 2)), 1e-20);
}

TEST(Multiprecision, JacobiansOfVectorFunctionsWorkToo) {
  using T = cpp_bin_float_quad;
  const auto f = [](std::span<const T> x, std::span<T> y) {
    y[0] = x[0] * x[1];
    y[1] = sin(x[0]);
  };
  const std::vector<T> x{T(2), T(3)};
  const auto matrix = jacobian<T>(central_fdm(5, 1), f, std::span<const T>(x), 2);
  EXPECT_LT(relative_error(matrix(0, 0).value, T(3)), 1e-25);
  EXPECT_LT(relative_error(matrix(0, 1).value, T(2)), 1e-25);
  EXPECT_LT(relative_error(matrix(1, 0).value, T(cos(T(2)))), 1e-25);
  EXPECT_EQ(matrix(1, 1).value, 0);
}

} // namespace
} // namespace assay::fdm
