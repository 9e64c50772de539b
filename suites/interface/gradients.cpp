// gradient(): no shadow to prepare.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <vector>

using namespace assay;

namespace {

double square(double x) {
  return x * x;
}
double product(double x, double y) {
  return x * y;
}
template <class Container>
double rosenbrock(const Container &x) {
  const double a = x[1] - x[0] * x[0], b = 1 - x[0];
  return 100 * a * a + b * b;
}
double weighted(const std::vector<double> &x, double weight) {
  return weight * (x[0] * x[0] + x[1]);
}
std::array<double, 2> circle(double radius) {
  return {radius, 2 * radius};
}

PLUGIN_TEST(Gradient, OfAScalarIsAScalar) {
  EXPECT_SAME(gradient<Reverse>(square, 3.0), 6.0);
  EXPECT_SAME(gradient<Forward>(square, 3.0), 6.0);
}

PLUGIN_TEST(Gradient, OfSeveralArgumentsIsATuple) {
  const auto [dx, dy] = gradient<Reverse>(product, 3.0, 4.0);
  EXPECT_SAME(dx, 4.0);
  EXPECT_SAME(dy, 3.0);
  const auto [dv, dw] = gradient<Reverse>(weighted, std::vector<double>{3, 4}, 2.0);
  EXPECT_SAME(dv[0], 12.0);
  EXPECT_SAME(dv[1], 2.0);
  EXPECT_SAME(dw, 13.0);
}

PLUGIN_TEST(Gradient, HasTheShapeOfTheArgument) {
  const std::vector<double> x{2, 3};
  const std::vector<double> reverse = gradient<Reverse>(rosenbrock<std::vector<double>>, x);
  const std::vector<double> forward = gradient<Forward>(rosenbrock<std::vector<double>>, x);
  const std::array<double, 2> y{2, 3};
  const std::array<double, 2> fixed = gradient<Reverse>(rosenbrock<std::array<double, 2>>, y);
  const std::array<double, 2> fixed_forward = gradient<Forward>(rosenbrock<std::array<double, 2>>, y);
  const std::array<double, 2> expected{802, -200};
  for (std::size_t i = 0; i != 2; ++i) {
    EXPECT_CLOSE(reverse[i], expected[i]);
    EXPECT_CLOSE(forward[i], expected[i]);
    EXPECT_CLOSE(fixed[i], expected[i]);
    EXPECT_CLOSE(fixed_forward[i], expected[i]);
  }
}

PLUGIN_TEST(Gradient, ComesWithThePrimalWhenAsked) {
  const auto result = gradient<ReverseWithPrimal>(square, 3.0);
  EXPECT_SAME(result.gradient, 6.0);
  EXPECT_SAME(result.primal, 9.0);
}

PLUGIN_TEST(Gradient, IntoAnExistingShadowReplacesWhatWasThere) {
  const std::vector<double> x{2, 3};
  std::vector<double> dx{100, 100};
  gradient(Reverse, dx, rosenbrock<std::vector<double>>, x);
  EXPECT_CLOSE(dx[0], 802.0);
  EXPECT_CLOSE(dx[1], -200.0);
}

PLUGIN_TEST(Gradient, ForwardOfAnArrayValuedFunctionIsAnArray) {
  const auto derivative = gradient<Forward>(circle, 3.0);
  EXPECT_SAME(derivative[0], 1.0);
  EXPECT_SAME(derivative[1], 2.0);
}

} // namespace
