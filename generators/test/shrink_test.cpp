// Shrinking ends at what a person would have written.
#include <assay/generators.hpp>

#include "generators/simple_reals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace assay::gen {
namespace {

template <class T, class Predicate>
void expect_minimal(const rc::Gen<T> &generator, Predicate fails, const T &minimal) {
  int failures = 0;
  for (std::uint32_t index = 0; index < 100; ++index) {
    const auto drawn = draw(generator, Stream({.seed = 7, .index = index}));
    if (!fails(drawn.value()))
      continue;
    ++failures;
    EXPECT_EQ(shrink_to_minimal(drawn, fails).value, minimal) << "from case " << index;
  }
  EXPECT_GT(failures, 5);
}

TEST(ShrinkToMinimal, ReachesZeroWhenEverythingFails) {
  expect_minimal<double>(real(-2, 2), [](double) { return true; }, 0.0);
}

TEST(ShrinkToMinimal, ReachesOneWhenZeroIsOutsideTheDomain) {
  expect_minimal<double>(positive(), [](double) { return true; }, 1.0);
}

TEST(ShrinkToMinimal, ReachesTheSmallestIntegerThatFails) {
  expect_minimal<double>(real(0, 100), [](double x) { return x > 6.5; }, 7.0);
}

TEST(ShrinkToMinimal, ReachesAShortDecimalWhereNoIntegerFails) {
  expect_minimal<double>(real(0, 1), [](double x) { return x > 0.62 && x < 0.78; }, 0.7);
}

TEST(ShrinkToMinimal, ReachesTheSameInFloat) {
  expect_minimal<float>(real<float>(0, 1), [](float x) { return x > 0.62F && x < 0.78F; }, 0.7F);
}

TEST(ShrinkToMinimal, PrefersPositiveNumbers) {
  expect_minimal<double>(real(-5, 5), [](double x) { return std::fabs(x) > 1.5; }, 2.0);
}

TEST(ShrinkToMinimal, ReachesTheSmallestFailingInteger) {
  expect_minimal<int>(integer(-100, 100), [](int x) { return x >= 13; }, 13);
}

TEST(ShrinkToMinimal, LeavesOnlyTheElementThatMatters) {
  const auto fails = [](const std::vector<double> &x) {
    return std::any_of(x.begin(), x.end(), [](double e) { return e > 1.2; });
  };
  const auto drawn = draw(vector(real(0, 3), 6), Stream({.seed = 8}));
  ASSERT_TRUE(fails(drawn.value()));
  auto minimal = shrink_to_minimal(drawn, fails).value;
  std::sort(minimal.begin(), minimal.end());
  EXPECT_EQ(minimal, (std::vector<double>{0, 0, 0, 0, 0, 2}));
}

TEST(ShrinkToMinimal, ShortensVectorsOfVariableLength) {
  const auto drawn = draw(vector(real(0, 3), 1, 8), Stream({.seed = 12}));
  EXPECT_EQ(shrink_to_minimal(drawn, [](const auto &) { return true; }).value, std::vector<double>{0});
}

TEST(ShrinkToMinimal, ShrinksEveryPartOfATuple) {
  const auto drawn = draw(tuple(real(-2, 2), positive()), Stream({.seed = 9}));
  const auto minimal = shrink_to_minimal(drawn, [](const auto &) { return true; });
  EXPECT_EQ(minimal.value, std::make_tuple(0.0, 1.0));
  EXPECT_GT(minimal.shrinks, 0U);
  EXPECT_GE(minimal.tries, minimal.shrinks);
}

TEST(ShrinkToMinimal, StopsWhenItsTriesAreSpent) {
  const auto drawn = draw(real(0, 100), Stream({.seed = 9}));
  EXPECT_EQ(shrink_to_minimal(drawn, [](double) { return false; }, 3).tries, 3U);
}

TEST(SimplerReals, AreEachSimplerSoThatShrinkingEnds) {
  for (std::uint32_t index = 0; index < 100; ++index) {
    double value = draw(real(-50, 50), Stream({.seed = 10, .index = index})).value();
    int steps = 0;
    while (true) { // The least simple candidate each time: the longest way there is.
      const auto simpler = detail::simpler_reals(value, -50.0, 50.0);
      if (simpler.empty())
        break;
      value = simpler.back();
      ASSERT_LT(++steps, 2000000);
    }
    EXPECT_EQ(value, 0);
  }
}

} // namespace
} // namespace assay::gen
