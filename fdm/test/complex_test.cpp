// Complex arguments, complex results and the complex step.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace assay::fdm {
namespace {

using Complex = std::complex<double>;

TEST(ComplexArgument, OfAHolomorphicFunctionHasTheComplexDerivative) {
  const Complex z{0.7, -1.2};
  const auto sine = central_fdm(5, 1)([](Complex at) { return std::sin(at); }, z);
  EXPECT_TRUE(sine.reliable());
  EXPECT_LT(std::abs(sine.value - std::cos(z)), 1e-11);
  EXPECT_LE(std::abs(sine.value - std::cos(z)), sine.error);
  const auto second = central_fdm(7, 2)([](Complex at) { return at * at * at; }, z);
  EXPECT_LT(std::abs(second.value - 6.0 * z), 1e-8);
}

TEST(ComplexResult, OfARealVariableIsDifferentiatedByParts) {
  const auto turn = central_fdm(5, 1)([](double angle) { return std::polar(2.0, angle); }, 0.4);
  EXPECT_LT(std::abs(turn.value - Complex(0, 1) * std::polar(2.0, 0.4)), 1e-11);
  EXPECT_LT(turn.error, 1e-10);
}

TEST(ComplexStep, IsRightToTheLastDigits) {
  const auto f = [](auto x) { return std::exp(x) / (std::sin(x) * std::sin(x) * std::sin(x) + std::cos(x)); };
  // d/dx with s = sin, c = cos, D = s^3 + c:  e^x (D - 3 s^2 c + s) / D^2
  const long double x = 1.5, s = std::sin(x), c = std::cos(x), d = s * s * s + c;
  const auto truth = static_cast<double>(std::exp(x) * (d - 3 * s * s * c + s) / (d * d));
  const auto estimate = complex_step(f, 1.5);
  EXPECT_TRUE(estimate.reliable());
  EXPECT_NEAR(estimate.value, truth, 4e-16 * std::fabs(truth));
  EXPECT_NEAR(complex_step(f, 1.5F).value, truth, 1e-6 * std::fabs(truth));
}

TEST(ComplexStep, WorksAtZeroAndForTinyAndHugeArguments) {
  const auto f = [](auto x) { return std::sin(3.0 * x); };
  EXPECT_NEAR(complex_step(f, 0.0).value, 3, 1e-15);
  EXPECT_NEAR(complex_step(f, 1e-200).value, 3, 1e-15);
  EXPECT_NEAR(complex_step([](auto x) { return x * x; }, 1e100).value, 2e100, 1e85);
}

TEST(ComplexStep, SaysSoWhereTheFunctionIsNotAnalytic) {
  const auto length = [](auto x) { return std::abs(x) * x; };
  EXPECT_EQ(complex_step(length, 1.5).trouble, Trouble::not_analytic);
  EXPECT_FALSE(complex_step([](auto x) { return std::conj(x) * x; }, 2.0).reliable());
}

} // namespace
} // namespace assay::fdm
