// Edges of domains, functions that are not finite, steps that are limited: an answer is honest about them.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::fdm {
namespace {

/// Remembers how far from the start it was asked.
struct Watched {
  double start;
  double below = 0, above = 0;

  void saw(double x) {
    below = std::max(below, start - x);
    above = std::max(above, x - start);
  }
};

TEST(MaxRange, IsNeverLeft) {
  Watched watched{2.0};
  const auto f = [&](double x) {
    watched.saw(x);
    return std::sin(x);
  };
  const auto estimate = central_fdm(5, 1, {.max_range = 1e-4})(f, 2.0);
  EXPECT_LE(watched.below, 1e-4);
  EXPECT_LE(watched.above, 1e-4);
  EXPECT_TRUE(estimate.reliable());
  EXPECT_NEAR(estimate.value, std::cos(2.0), estimate.error);
  EXPECT_LT(estimate.error, 1e-9);
}

TEST(Reach, IsNeverLeftAndOneSidedPointsAreUsedAtTheEdge) {
  for (const double x : {0.0, 1e-9, 1e-5, 1e-2}) {
    Watched watched{x};
    const auto f = [&](double at) {
      watched.saw(at);
      EXPECT_GE(at, 0);
      return std::pow(at, 2.5) + 3 * at;
    };
    const auto estimate = central_fdm(5, 1)(f, x, {.below = x});
    EXPECT_LE(watched.below, x);
    EXPECT_TRUE(estimate.reliable()) << x;
    EXPECT_NEAR(estimate.value, 2.5 * std::pow(x, 1.5) + 3, 1e-4) << x;
  }
}

TEST(Reach, OfTheDomainOfALogarithmKeepsSmallArgumentsAccurate) {
  for (const double x : {1e-12, 1e-8, 1e-4, 1.0, 1e8}) {
    const auto estimate = central_fdm(5, 1)([](double at) { return std::log(at); }, x, {.below = x});
    EXPECT_TRUE(estimate.reliable()) << x;
    EXPECT_NEAR(estimate.value * x, 1, 1e-6) << x;
    EXPECT_LE(std::fabs(estimate.value - 1 / x), estimate.error) << x;
  }
}

TEST(Reach, OfZeroOnBothSidesIsNoRoom) {
  const auto estimate = central_fdm(5, 1)([](double x) { return x; }, 1.0, {.below = 0, .above = 0});
  EXPECT_EQ(estimate.trouble, Trouble::no_room);
  EXPECT_FALSE(estimate.reliable());
}

TEST(NonFinite, NeighboursAreEvadedByShorterSteps) {
  const auto f = [](double x) { return x < 0 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(x); };
  const auto estimate = central_fdm(5, 1)(f, 1e-5);
  EXPECT_TRUE(estimate.reliable());
  EXPECT_NEAR(estimate.value, 0.5 / std::sqrt(1e-5), 1e-4);
}

TEST(NonFinite, ValuesAtThePointItselfAreReported) {
  const auto estimate = central_fdm(5, 1)([](double x) { return 1 / (x * x); }, 0.0);
  EXPECT_EQ(estimate.trouble, Trouble::non_finite);
  EXPECT_EQ(describe(estimate.trouble), "the function is not finite near the point");
}

TEST(NonFinite, ValuesOnOneSideLeaveNoAnswer) {
  const auto f = [](double x) { return std::sqrt(x - 1); };
  EXPECT_FALSE(central_fdm(5, 1)(f, 1.0).reliable());
}

TEST(NonFinite, ArgumentsHaveNoAnswerAndDoNoHarm) {
  for (const double x : {double(INFINITY), -double(INFINITY), double(NAN)}) {
    EXPECT_FALSE(central_fdm(5, 1)([](double) { return 1.0; }, x).reliable());
    EXPECT_FALSE(central_fdm(5, 1)([](double at) { return at; }, x).reliable());
  }
}

TEST(NonFinite, DoesNotComeFromHugeOrTinyNumbers) {
  for (const double x : {1e300, -1e300, 1e-300, 5e-324, 0.0}) {
    const auto estimate = central_fdm(5, 1)([](double at) { return 3 * at; }, x);
    EXPECT_TRUE(estimate.reliable()) << x;
    EXPECT_NEAR(estimate.value, 3, 1e-9) << x;
  }
  const auto large = central_fdm(5, 1)([](double at) { return 1e300 * std::sin(at); }, 1.0);
  EXPECT_NEAR(large.value / 1e300, std::cos(1.0), 1e-11);
  const auto small = central_fdm(5, 1)([](double at) { return 1e-290 * std::sin(at); }, 1.0);
  EXPECT_NEAR(small.value / 1e-290, std::cos(1.0), 1e-11);
}

TEST(Steps, AreExactMultiplesOfTheArgumentsResolution) {
  const double x = 1e6 + 0.1;
  const auto estimate = central_fdm(5, 1)([](double at) { return at * at; }, x);
  for (int point = -2; point <= 2; ++point)
    EXPECT_EQ(x + point * estimate.step - x, point * estimate.step);
}

TEST(Kink, NearThePointMakesTheErrorLargeOrIsFoundByTheProbe) {
  // Much closer than the step, a central difference gives the mean of both sides and cannot know better.
  for (const double x : {1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 3e-3, 1e-2}) {
    const auto f = [](double at) { return std::fabs(at) + std::sin(at); };
    const auto estimate = central_fdm(5, 1)(f, x);
    const bool honest = std::fabs(estimate.value - (1 + std::cos(x))) <= estimate.error;
    const bool found = probe_kink(f, x, estimate.radius).suspicious();
    EXPECT_TRUE(!estimate.reliable() || honest || found) << x;
  }
}

} // namespace
} // namespace assay::fdm
