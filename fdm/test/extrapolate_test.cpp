// Richardson extrapolation against closed forms.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace assay::fdm {
namespace {

TEST(Extrapolation, OfThreePointsReachesThirteenDigits) {
  for (const double x : {-2.0, 0.3, 1.0, 4.0}) {
    const auto sine = extrapolate_fdm(central_fdm(3, 1), [](double at) { return std::sin(at); }, x);
    EXPECT_TRUE(sine.reliable());
    EXPECT_NEAR(sine.value, std::cos(x), 1e-13) << x;
    const auto exponential = extrapolate_fdm(central_fdm(3, 1), [](double at) { return std::exp(at); }, x);
    EXPECT_NEAR(exponential.value / std::exp(x), 1, 1e-13) << x;
  }
}

TEST(Extrapolation, BoundsItsError) {
  int honest = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = 0.2 + 0.05 * i;
    const auto estimate = extrapolate_fdm(central_fdm(3, 1), [](double at) { return std::atan(at); }, x);
    honest += std::fabs(estimate.value - 1 / (1 + x * x)) <= estimate.error ? 1 : 0;
  }
  EXPECT_GT(honest, 190);
}

TEST(Extrapolation, WorksFromOneSideAndForSecondDerivatives) {
  const auto forward = extrapolate_fdm(forward_fdm(3, 1), [](double at) { return std::exp(at); }, 1.0);
  EXPECT_NEAR(forward.value, std::exp(1.0), 1e-10);
  const auto second = extrapolate_fdm(central_fdm(3, 2), [](double at) { return std::exp(at); }, 1.0);
  EXPECT_NEAR(second.value, std::exp(1.0), 1e-10);
}

TEST(Extrapolation, BeginsWhereTheFunctionIsFinite) {
  const auto estimate = extrapolate_fdm(central_fdm(3, 1), [](double at) { return std::log(at); }, 0.01);
  EXPECT_TRUE(estimate.reliable());
  EXPECT_NEAR(estimate.value, 100, 1e-6);
}

TEST(Extrapolation, StaysWithinTheReach) {
  const auto f = [](double at) {
    EXPECT_GE(at, 0);
    return at * at * std::sqrt(at);
  };
  const auto estimate = extrapolate_fdm(central_fdm(3, 1), f, 0.1, {}, {.below = 0.1});
  EXPECT_NEAR(estimate.value, 2.5 * std::pow(0.1, 1.5), 1e-8);
}

TEST(Extrapolation, SaysSoWhenThereIsNoAnswer) {
  EXPECT_EQ(extrapolate_fdm(central_fdm(3, 1), [](double) { return NAN; }, 1.0).trouble, Trouble::non_finite);
  const auto cramped = extrapolate_fdm(central_fdm(3, 1), [](double at) { return at; }, 1.0, {}, {0, 0});
  EXPECT_EQ(cramped.trouble, Trouble::no_room);
}

} // namespace
} // namespace assay::fdm
