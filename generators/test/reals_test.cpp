// Reals by scale and by place stay in their domain while they shrink, and reach what they are for.
#include <assay/generators.hpp>

#include "generators/test/expect_always.hpp"

#include <cmath>
#include <limits>
#include <set>

namespace assay::gen {
namespace {

template <class T>
std::vector<T> draws(const rc::Gen<T> &generator, std::uint32_t count) {
  std::vector<T> values;
  for (std::uint32_t index = 0; index < count; ++index)
    values.push_back(draw(generator, Stream({.seed = 5, .index = index})).value());
  return values;
}

TEST(Normal, HasTheMomentsOfTheStandardNormal) {
  const std::vector<double> values = draws(normal(), 4000);
  double mean = 0, variance = 0;
  for (const double value : values)
    mean += value / double(values.size());
  for (const double value : values)
    variance += (value - mean) * (value - mean) / double(values.size());
  EXPECT_NEAR(mean, 0, 0.06);
  EXPECT_NEAR(variance, 1, 0.09);
  EXPECT_EQ(simplest(normal()), 0);
}

TEST(LogUniform, ReachesEveryMagnitudeOfItsBounds) {
  expect_always(log_uniform(1e-300, 1e300), [](double x) { return x >= 1e-300 && x <= 1e300; });
  expect_always(log_uniform(3.0, 3.5), [](double x) { return x >= 3 && x <= 3.5; });
  expect_always(log_uniform<float>(1e-30F, 7), [](float x) { return x >= 1e-30F && x <= 7; });
  int tiny = 0;
  for (const double value : draws(log_uniform(1e-300, 1e300), 400))
    tiny += value < 1e-150 ? 1 : 0;
  EXPECT_GT(tiny, 50);
  EXPECT_LT(tiny, 150);
}

TEST(LogUniform, RefusesBoundsThatAreNotPositive) {
  EXPECT_THROW(log_uniform(0, 1), std::invalid_argument);
  EXPECT_THROW(log_uniform(2, 1), std::invalid_argument);
  EXPECT_THROW(log_uniform(1, INFINITY), std::invalid_argument);
}

TEST(Edge, DrawsZerosDenormalsAndTheLargestNumbers) {
  std::set<double> seen;
  bool negative_zero = false;
  for (const double value : draws(edge(), 600)) {
    EXPECT_TRUE(std::isfinite(value));
    seen.insert(value);
    negative_zero = negative_zero || (value == 0 && std::signbit(value));
  }
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, 1.0, Limits::denorm_min(), -Limits::denorm_min(), Limits::min(), Limits::max(),
                             -Limits::max(), 0x1p1023, 1 + Limits::epsilon()})
    EXPECT_TRUE(seen.contains(value)) << value;
  EXPECT_TRUE(negative_zero);
  EXPECT_EQ(simplest(edge()), 0);
}

TEST(Edge, StaysInItsBounds) {
  expect_always(edge(0.5, 40), [](double x) { return x >= 0.5 && x <= 40; });
  EXPECT_EQ(draws(edge(3, 3), 1).front(), 3);
  EXPECT_THROW(edge(INFINITY, INFINITY), std::invalid_argument);
}

TEST(Near, KeepsItsDistanceOnBothSides) {
  int left = 0;
  expect_always(near(2, 1e-6), [&](double x) {
    left += x < 2 ? 1 : 0;
    const double away = std::fabs(x - 2);
    return away >= 0.999999e-6 && away <= 2.000001e-6;
  });
  EXPECT_GT(left, 50);
  EXPECT_EQ(simplest(near(2, 0.25)), 2.25);
  EXPECT_THROW(near(1e20, 1e-6), std::invalid_argument);
}

TEST(AwayFrom, ShrinksPastNoSingularity) {
  const auto generator = away_from(real(-4, 4), {0, 1}, 0.5);
  expect_always(generator, [](double x) { return std::fabs(x) >= 0.5 && std::fabs(x - 1) >= 0.5; });
  EXPECT_THROW(draws(away_from(real(-1, 1), {0}, 2), 1), std::runtime_error);
}

TEST(Scaled, MultipliesWhatItShrinksTo) {
  expect_always(scaled(1e6, real(1, 2)), [](double x) { return x >= 1e6 && x <= 2e6; });
  EXPECT_EQ(simplest(scaled(1e6, real(1, 2))), 1e6);
}

TEST(Mixed, TakesTheRareGeneratorAsOftenAsAsked) {
  int rare = 0;
  for (const double value : draws(mixed(0.2, fixed(100.0), real(0, 1)), 1000))
    rare += value == 100 ? 1 : 0;
  EXPECT_GT(rare, 150);
  EXPECT_LT(rare, 250);
  EXPECT_THROW(mixed(1.5, fixed(1.0), fixed(2.0)), std::invalid_argument);
}

} // namespace
} // namespace assay::gen
