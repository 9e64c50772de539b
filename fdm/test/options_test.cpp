// The options of a method do what they say: none is silently ignored.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace assay::fdm {
namespace {

double sine(double x) {
  return std::sin(x);
}

TEST(Options, CustomGridsTakeAnyPoints) {
  const auto method = fdm_on_grid({-1, 0, 0.5, 3}, 1);
  EXPECT_EQ(method.order(), 4);
  EXPECT_NEAR(method(sine, 0.3).value, std::cos(0.3), 1e-9);
  EXPECT_NEAR(fdm_on_grid({-3, -1, 0, 1, 2}, 2)(sine, 0.3).value, -std::sin(0.3), 1e-7);
}

TEST(Options, AFixedStepIsTheStepTaken) {
  const auto estimate = central_fdm(3, 1).at_step(sine, 0.5, 0.125);
  EXPECT_EQ(estimate.step, 0.125);
  EXPECT_NEAR(estimate.value, (std::sin(0.625) - std::sin(0.375)) / 0.25, 1e-15);
  EXPECT_NEAR(estimate.value, std::cos(0.5), estimate.error);
  EXPECT_LT(estimate.error, 1e-2);
}

TEST(Options, TheErrorAtAFixedStepFallsAsThePowerOfTheOrder) {
  for (const int order : {3, 5, 7}) {
    const auto method = central_fdm(order, 1);
    const double wide = std::fabs(method.at_step(sine, 0.5, 0.25).value - std::cos(0.5));
    const double narrow = std::fabs(method.at_step(sine, 0.5, 0.125).value - std::cos(0.5));
    EXPECT_NEAR(std::log2(wide / narrow), order - 1, 0.1) << order;
  }
}

TEST(Options, ConditionLengthensTheStepWhereNothingIsAdapted) {
  const auto step = [](double condition) {
    return central_fdm(5, 1, {.adapt = 0, .condition = condition})(sine, 1.0).step;
  };
  EXPECT_GT(step(1), 1.5 * step(1000));
}

TEST(Options, FactorMakesTheStepLongerAndTheErrorLarger) {
  const auto one = central_fdm(5, 1)(sine, 1.0);
  const auto thousand = central_fdm(5, 1, {.factor = 1000})(sine, 1.0);
  EXPECT_GT(thousand.step, 2 * one.step);
  EXPECT_GT(thousand.error, 50 * one.error);
}

TEST(Options, MoreAdaptationsRefineTheBound) {
  for (const int adapt : {0, 1, 2, 3})
    EXPECT_NEAR(central_fdm(5, 1, {.adapt = adapt})(sine, 1.0).value, std::cos(1.0), 1e-10) << adapt;
}

TEST(Options, OrdersUpToTwentyOneAndDerivativesUpToEightHold) {
  EXPECT_NEAR(central_fdm(21, 1)(sine, 1.0).value, std::cos(1.0), 1e-12);
  EXPECT_NEAR(central_fdm(15, 8)(sine, 1.0).value, std::sin(1.0), 1e-3);
  EXPECT_NEAR(forward_fdm(10, 4)(sine, 1.0).value, std::sin(1.0), 1e-4);
}

TEST(Options, AnIntegerIsAPointOfDouble) {
  EXPECT_NEAR(central_fdm(5, 1)(sine, 1).value, std::cos(1.0), 1e-11);
}

} // namespace
} // namespace assay::fdm
