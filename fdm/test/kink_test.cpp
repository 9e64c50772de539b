// Smooth, kinked, jumping: told apart by values alone.
#include <assay/fdm.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace assay::fdm {
namespace {

constexpr double radius = 5e-3;

TEST(KinkProbe, CallsSmoothFunctionsSmooth) {
  for (int i = 0; i < 200; ++i) {
    const double x = 0.05 + 0.04 * i;
    EXPECT_EQ(probe_kink([](double at) { return std::sin(at); }, x, radius).smoothness, Smoothness::smooth) << x;
    EXPECT_EQ(probe_kink([](double at) { return std::exp(-at); }, x, radius).smoothness, Smoothness::smooth) << x;
    EXPECT_EQ(probe_kink([](double at) { return 1 / at; }, x, radius).smoothness, Smoothness::smooth) << x;
    EXPECT_EQ(probe_kink([](double at) { return 3 * at - 7; }, x, radius).smoothness, Smoothness::smooth) << x;
    EXPECT_EQ(probe_kink([](double at) { return std::sin(40 * at); }, x, radius).smoothness, Smoothness::smooth) << x;
  }
}

TEST(KinkProbe, CallsSmoothFunctionsSmoothInFloat) {
  for (int i = 0; i < 100; ++i) {
    const float x = 0.5F + 0.04F * static_cast<float>(i);
    EXPECT_EQ(probe_kink([](float at) { return std::sin(at); }, x, 0.1).smoothness, Smoothness::smooth) << x;
    EXPECT_EQ(probe_kink([](float at) { return std::exp(-at); }, x, 0.1).smoothness, Smoothness::smooth) << x;
  }
}

TEST(KinkProbe, FindsAKinkWhereverItIsInTheNeighbourhood) {
  for (const double offset : {0.0, 1e-8, 1e-5, -7e-4, 3e-3, -4.4e-3}) {
    const double kink = 1.0 + offset;
    const auto f = [kink](double x) { return std::cos(x) + 0.01 * std::fabs(x - kink); };
    const auto probe = probe_kink(f, 1.0, radius);
    EXPECT_EQ(probe.smoothness, Smoothness::kink) << offset;
    EXPECT_TRUE(probe.suspicious());
    EXPECT_NEAR(probe.location, kink, 1e-5) << offset;
  }
}

TEST(KinkProbe, TellsBothOneSidedDerivativesAtAKink) {
  const auto probe = probe_kink([](double x) { return std::fmax(x, 3 * x); }, 0.0, radius);
  EXPECT_NEAR(probe.left.value, 1, 1e-9);
  EXPECT_NEAR(probe.right.value, 3, 1e-9);
}

TEST(KinkProbe, TellsAJumpFromAKink) {
  const auto probe = probe_kink([](double x) { return x + (x < 1.001 ? 0.0 : 1e-3); }, 1.0, radius);
  EXPECT_EQ(probe.smoothness, Smoothness::jump);
  EXPECT_NEAR(probe.location, 1.001, 1e-5);
}

TEST(KinkProbe, SeesTheStepsOfAFloor) {
  EXPECT_EQ(probe_kink([](double x) { return std::floor(x); }, 2.0, radius).smoothness, Smoothness::jump);
  EXPECT_EQ(probe_kink([](double x) { return std::floor(x); }, 2.5, radius).smoothness, Smoothness::smooth);
}

TEST(KinkProbe, SaysNothingWhereTheFunctionIsNotFinite) {
  const auto probe = probe_kink([](double x) { return std::sqrt(x); }, 1e-3, radius);
  EXPECT_EQ(probe.smoothness, Smoothness::unknowable);
  EXPECT_FALSE(probe.suspicious());
}

TEST(KinkProbe, StaysWithinTheReach) {
  const auto f = [](double x) {
    EXPECT_GE(x, 0);
    return std::sqrt(x) * x;
  };
  EXPECT_EQ(probe_kink(f, 1e-3, radius, {.below = 1e-3 * 0.99}).smoothness, Smoothness::smooth);
}

TEST(KinkProbe, LooksAtEveryOutputAlongADirection) {
  const std::vector<double> x{1.0, 2.0};
  const std::vector<double> direction{2.0, -1.0};
  const auto f = [](std::span<const double> at, std::span<double> y) {
    y[0] = at[0] * at[1];
    y[1] = std::fmin(at[0], at[1] - 1);
  };
  const auto probes = probe_kinks<double>(f, x, direction, 2, radius);
  EXPECT_EQ(probes[0].smoothness, Smoothness::smooth);
  EXPECT_EQ(probes[1].smoothness, Smoothness::kink);
}

} // namespace
} // namespace assay::fdm
