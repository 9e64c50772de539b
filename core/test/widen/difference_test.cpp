// Would catch: an error estimate below the error, and a step that suits only points of size one.

#include "core/widen/difference.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::widen;

template <class F>
Difference difference_of(const F &f, double x) {
  const auto react = [&](Wide step) { return Reaction{{f(Wide(x) + step) - f(Wide(x))}, {}, {}, {}}; };
  return differentiate(react, 1, std::abs(x));
}

TEST(WideDifference, FitsPointsOfAllSizes) {
  for (const double x : {1e-300, 1e-20, 1e-9, 1.0, 1e9, 1e100}) {
    const Difference difference = difference_of([](Wide t) { return t * t * t; }, x);
    EXPECT_LE(std::abs(difference.outputs[0].value - 3 * x * x), 1e-15 * 3 * x * x) << x;
    EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
  }
}

TEST(WideDifference, TakesALongerStepWhereTheFunctionVariesOnAnotherScale) {
  const double x = 1e-9;
  const Difference difference = difference_of([](Wide t) { return (1 + t) * (1 + t) * (1 + t); }, x);
  EXPECT_LE(std::abs(difference.outputs[0].value - 3 * (1 + x) * (1 + x)), 1e-15);
}

TEST(WideDifference, TakesAShorterStepWhereAPeriodicFunctionGoesRound) {
  constexpr double rate = 1e20, x = 0.75, period = 6.28;
  for (const Rounding rounding : {Rounding::none, Rounding::of_wide_numbers}) {
    const auto react = [&](Wide step) {
      const auto angle = static_cast<double>(Wide(rate) * step);
      const Wide moved = std::abs(angle) < 1e-3 ? Wide(angle) - Wide(angle) * angle * angle / 6 : Wide(std::sin(angle));
      return Reaction{{moved / rate + 3 * step}, {}, {}, {}, 0, {}, false, {}, std::abs(angle) / period};
    };
    const Difference difference = differentiate(react, 1, x, rounding);
    EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
    EXPECT_NEAR(difference.outputs[0].value, 4, 1e-9);
  }
}

TEST(WideDifference, TakesAShorterStepBesideAPole) {
  const double x = 1, pole = 1 + 0x1p-45;
  const Difference difference = difference_of([&](Wide t) { return 1 / (Wide(pole) - t); }, x);
  EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
  EXPECT_NEAR(difference.outputs[0].value, 0x1p90, 1e-8 * 0x1p90);
}

/// Of numbers that are rounded to 113 bits beside a large constant.
Difference rounded_difference_of(double constant, double x) {
  const auto f = [&](Wide t) { return Wide(constant) + t * t * t; };
  const auto react = [&](Wide step) {
    return Reaction{{f(Wide(x) + step) - f(Wide(x))}, {}, {}, {}, 0, {16 * std::ldexp(std::max(constant, 1.0), -112)}};
  };
  return differentiate(react, 1, std::abs(x), Rounding::of_wide_numbers);
}

TEST(WideDifference, OfRoundedNumbersIsRightToDoublePrecision) {
  const Difference difference = rounded_difference_of(0, 0.75);
  EXPECT_LE(std::abs(difference.outputs[0].value - 3 * 0.75 * 0.75), 1e-15);
  EXPECT_LE(difference.outputs[0].error, 1e-15);
}

/// F jumps in steps of 2^-75, of which the given noise says nothing.
TEST(WideDifference, OfRoundedNumbersWithUnknownNoiseKnowsItsError) {
  const auto jumping = [](Wide t) { return (t * t * t + 0x1p38) - 0x1p38; };
  for (const double x : {0x1.8p-33, 0.0135, 0.135483, 0.75, 3.0}) {
    const auto react = [&](Wide step) {
      return Reaction{{jumping(Wide(x) + step) - jumping(Wide(x))}, {}, {}, {}, 0, {0x1p-112}};
    };
    const Estimate estimate = differentiate(react, 1, std::abs(x), Rounding::of_wide_numbers).outputs[0];
    EXPECT_LE(std::abs(estimate.value - 3 * x * x), estimate.error + 1e-16) << x;
  }
}

TEST(WideDifference, OfRoundedNumbersThatCancelKnowsItsError) {
  const Difference difference = rounded_difference_of(0x1p70, 0.75);
  EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
  EXPECT_LE(std::abs(difference.outputs[0].value - 3 * 0.75 * 0.75), difference.outputs[0].error);
  EXPECT_LE(difference.outputs[0].error, 1e-4);
}

TEST(WideDifference, DoesNotTrustAKink) {
  const Difference difference = difference_of([](Wide t) { return t < 1 ? 2 * t : 3 * t - 1; }, 1);
  EXPECT_EQ(difference.outputs[0].trouble, Trouble::crossing);
}

TEST(WideDifference, DoesNotTrustAStepThatIsTooShortToBeSeen) {
  // The size of 1 + |x| takes no notice of steps of 2^-40 |x|, and those of 2^-40 cross the kink.
  const double x = 6e-25;
  const auto react = [&](Wide step) {
    const Wide moved = magnitude(Wide(x) + step) - Wide(x);
    const bool is_absorbed = Wide(1) + moved == Wide(1);
    return Reaction{{step + (is_absorbed ? Wide(0) : moved)}, {}, {}, {"an absolute value"}, 1, {}, is_absorbed};
  };
  const Difference difference = differentiate(react, 1, x);
  EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
  EXPECT_EQ(difference.outputs[0].value, 2);
  EXPECT_FALSE(difference.outputs[0].may_lack);
}

TEST(WideDifference, GivesZeroWhereNothingReacts) {
  const Difference difference = difference_of([](Wide) { return Wide(3); }, 1);
  EXPECT_EQ(difference.outputs[0].value, 0);
  EXPECT_EQ(difference.outputs[0].error, 0);
  EXPECT_EQ(difference.outputs[0].trouble, Trouble::none);
}

} // namespace
