// Derivatives of derivatives: any mode over any mode, to third order, inside of functions, lambdas and members.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <cmath>
#include <vector>

using namespace assay;

namespace {

double fourth(double x) {
  return x * x * x * x;
}
double wave(double x) {
  return std::sin(2 * x);
}

// The four ways to differentiate once.
template <double (*f)(double)>
double forward(double x) {
  return autodiff_deferred<Forward>(f, Duplicated{x, 1.0}).derivative;
}
template <double (*f)(double)>
double reverse(double x) {
  return std::get<0>(autodiff_deferred<Reverse, Active>(f, Active{x}).gradient);
}
template <double (*f)(double)>
double split(double x) {
  const auto function = [](double y) { return f(y); };
  auto [augmented, back] = autodiff_deferred_thunk<ReverseSplitWithPrimal, Active>(function, type<Active<double>>);
  auto [tape, primal, shadow] = augmented(Active{x});
  return std::get<0>(back(Active{x}, 1.0, tape));
}
template <double (*f)(double)>
double batched(double x) {
  return autodiff_deferred<Forward>(f, BatchDuplicated{x, std::array{0.5, 1.0}}).derivative[1];
}

PLUGIN_TEST(SecondOrder, AnyModeOverAnyMode) {
  const double x = 1.5, expected = 12 * x * x;
  EXPECT_CLOSE(forward<forward<fourth>>(x), expected);
  EXPECT_CLOSE(forward<reverse<fourth>>(x), expected);
  EXPECT_CLOSE(reverse<forward<fourth>>(x), expected);
  EXPECT_CLOSE(reverse<reverse<fourth>>(x), expected);
  EXPECT_CLOSE(batched<reverse<fourth>>(x), expected);
  EXPECT_CLOSE(reverse<batched<fourth>>(x), expected);
  EXPECT_CLOSE(batched<batched<fourth>>(x), expected);
  EXPECT_CLOSE(split<reverse<fourth>>(x), expected);
  EXPECT_CLOSE(split<forward<fourth>>(x), expected);
}

PLUGIN_TEST(ThirdOrder, AnyModeOverAnyModeOverAnyMode) {
  const double x = 0.3, expected = -8 * std::cos(2 * x);
  EXPECT_CLOSE((forward<forward<forward<wave>>>(x)), expected);
  EXPECT_CLOSE((forward<forward<reverse<wave>>>(x)), expected);
  EXPECT_CLOSE((forward<reverse<forward<wave>>>(x)), expected);
  EXPECT_CLOSE((forward<reverse<reverse<wave>>>(x)), expected);
  EXPECT_CLOSE((reverse<forward<forward<wave>>>(x)), expected);
  EXPECT_CLOSE((reverse<forward<reverse<wave>>>(x)), expected);
  EXPECT_CLOSE((reverse<reverse<forward<wave>>>(x)), expected);
  EXPECT_CLOSE((reverse<reverse<reverse<wave>>>(x)), expected);
}

PLUGIN_TEST(Nested, InLambdasWithCaptures) {
  const double a = 3;
  const auto inner = [a](double x) { return a * x * x * x; };
  const auto slope = [&inner](double x) { return std::get<0>(autodiff<Reverse>(inner, Active{x}).gradient); };
  const auto curvature = [&slope](double x) { return autodiff<Forward>(slope, Duplicated{x, 1.0}).derivative; };
  EXPECT_CLOSE(slope(2.0), 36.0);
  EXPECT_CLOSE(curvature(2.0), 36.0);
  EXPECT_CLOSE(autodiff<Forward>(curvature, Duplicated{2.0, 1.0}).derivative, 18.0);
}

double energy(const std::vector<double> &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += std::exp(x[i]) * x[(i + 1) % x.size()];
  return sum;
}
/// Its derivative is a second derivative: the sum of all elements of the Hessian's rows, weighted.
double weighted_slope(const std::vector<double> &x, const std::vector<double> &weights) {
  const auto slopes = gradient<Reverse>(energy, x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += weights[i] * slopes[i];
  return sum;
}

PLUGIN_TEST(Nested, AGradientInsideOfAFunction) {
  const std::vector<double> x{0.1, 0.2, 0.3}, weights{1, -2, 0.5};
  const auto expected = hvp(energy, x, weights);
  const auto reverse_over_reverse =
      gradient<Reverse>([&](const std::vector<double> &y) { return weighted_slope(y, weights); }, x);
  const auto forward_over_reverse =
      gradient<Forward>([&](const std::vector<double> &y) { return weighted_slope(y, weights); }, x);
  for (std::size_t i = 0; i != 3; ++i) {
    EXPECT_CLOSE(reverse_over_reverse[i], expected[i]);
    EXPECT_CLOSE(forward_over_reverse[i], expected[i]);
  }
}

PLUGIN_TEST(Nested, AnObjectiveWithADerivativeInIt) {
  // (f'(x) - 1)^2 for f = x^4: the derivative is 2 (4 x^3 - 1) 12 x^2.
  const auto residual = [](double x) {
    const double r = reverse<fourth>(x) - 1;
    return r * r;
  };
  const double x = 0.7;
  EXPECT_CLOSE(gradient<Reverse>(residual, x), 2 * (4 * x * x * x - 1) * 12 * x * x);
}

} // namespace
