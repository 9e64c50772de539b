// Every generator stays in its domain, also while it shrinks, and depends on its stream alone.
#include <assay/generators.hpp>

#include "generators/inverse_normal.hpp"
#include "generators/test/expect_always.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace assay::gen {
namespace {

TEST(Real, StaysBetweenItsBounds) {
  expect_always(real(-2, 2), [](double x) { return x >= -2 && x <= 2; });
  expect_always(real(0.25, 0.26), [](double x) { return x >= 0.25 && x <= 0.26; });
  expect_always(real<float>(1, 3), [](float x) { return x >= 1 && x <= 3; });
  expect_always(real<long double>(1, 3), [](long double x) { return x >= 1 && x <= 3; });
  expect_always(real(-1e308, 1e308), [](double x) { return std::isfinite(x); });
  expect_always(real(5, 5), [](double x) { return x == 5; });
}

TEST(Real, RefusesBoundsThatAreNone) {
  EXPECT_THROW(real(1, 0), std::invalid_argument);
  EXPECT_THROW(real(0, INFINITY), std::invalid_argument);
  EXPECT_THROW(real(NAN, 1), std::invalid_argument);
}

TEST(Positive, IsPositiveAtAllScales) {
  int small = 0;
  expect_always(positive(), [&](double x) {
    small += x < 0.5 ? 1 : 0;
    return x >= 1.0 / 16 && x <= 16;
  });
  EXPECT_GT(small, 50);
}

TEST(Nonzero, KeepsItsDistanceFromZeroAndItsSign) {
  int negative = 0;
  expect_always(nonzero(), [&](double x) {
    negative += x < 0 ? 1 : 0;
    return std::fabs(x) >= 1.0 / 16 && std::fabs(x) <= 16;
  });
  EXPECT_GT(negative, 50);
}

TEST(Unit, IsStrictlyBetweenZeroAndOne) {
  expect_always(unit(), [](double x) { return x > 0 && x < 1; });
  expect_always(unit<float>(), [](float x) { return x > 0 && x < 1; });
}

TEST(TangentGenerator, IsAShortDecimalThatDoesNotShrink) {
  expect_always(tangent(), [](double x) { return x != 0 && std::fabs(x) <= 9; });
  EXPECT_FALSE(draw(tangent(), Stream({.seed = 1})).shrinks().next());
}

TEST(Integer, StaysBetweenItsBounds) {
  expect_always(integer(-3, 12), [](int x) { return x >= -3 && x <= 12; });
  expect_always(integer<std::size_t>(2, 7), [](std::size_t x) { return x >= 2 && x <= 7; });
}

TEST(Vector, HasItsLengthAndItsElementsDomain) {
  expect_always(vector(unit(), 5), [](const std::vector<double> &x) {
    return x.size() == 5 && std::all_of(x.begin(), x.end(), [](double e) { return e > 0 && e < 1; });
  });
  expect_always(vector(unit(), 2, 4), [](const std::vector<double> &x) { return x.size() >= 2 && x.size() <= 4; });
}

TEST(Tuple, DrawsEveryElementOnItsOwn) {
  const auto pair = draw(tuple(real(0, 1), real(0, 1)), Stream({.seed = 5})).value();
  EXPECT_NE(std::get<0>(pair), std::get<1>(pair));
}

TEST(Array, HasDistinctElements) {
  const auto values = draw(array<3>(real(0, 1)), Stream({.seed = 5})).value();
  EXPECT_NE(values[0], values[1]);
  EXPECT_NE(values[1], values[2]);
}

TEST(Draw, DependsOnTheStreamAlone) {
  const auto generator = tuple(real(-2, 2), positive(), vector(integer(0, 9), 4));
  const auto once = draw(generator, Stream({.seed = 5, .index = 3})).value();
  draw(generator, Stream({.seed = 99}));
  EXPECT_EQ(draw(generator, Stream({.seed = 5, .index = 3})).value(), once);
  EXPECT_NE(draw(generator, Stream({.seed = 5, .index = 4})).value(), once);
}

TEST(Draw, GivesTheSameValuesOnEveryMachine) {
  EXPECT_EQ(draw(real(-2, 2), Stream({.seed = 42})).value(), -0x1.fcb4885ba9068p-1);
  EXPECT_EQ(draw(positive(), Stream({.seed = 42})).value(), 0x1.ff5aab961cbf6p-2);
  EXPECT_EQ(draw(integer(0, 1000), Stream({.seed = 42})).value(), 422);
}

TEST(InverseNormal, InvertsTheDistribution) {
  for (const double x : {-6.0, -3.5, -2.0, -1.9, -0.3, 0.0, 0.7, 1.95, 2.5, 4.0}) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(detail::inverse_normal(p), x, 1e-8 * std::fmax(1, std::fabs(x)));
  }
}

} // namespace
} // namespace assay::gen
