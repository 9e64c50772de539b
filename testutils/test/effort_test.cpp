// Would catch: a check that leaves something out where there is time for all, that takes what the user has chosen, or
// that says nothing of what it left out; a sample of combinations that misses the fullest ones or changes from run to
// run.

#include "testutils/effort.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::testutils {
namespace {

CostOfShape shape_of(std::uint64_t operations, std::size_t numbers = 4) {
  return {{operations, operations / 2, 100}, numbers, numbers};
}

WantedEffort usual(std::size_t combinations) {
  WantedEffort wanted;
  wanted.combinations = combinations;
  wanted.samples = 3;
  return wanted;
}

TEST(Effort, OfAQuickFunctionIsAll) {
  const Effort effort = choose_effort({shape_of(1000)}, usual(60));
  EXPECT_EQ(effort.combinations, 60U);
  EXPECT_EQ(effort.samples, 3U);
  EXPECT_EQ(effort.brief_samples, 12U);
  EXPECT_EQ(effort.edge_samples, 6U);
  EXPECT_EQ(effort.wide_shapes, std::vector{true});
  EXPECT_EQ(effort.shrink_steps, 200U);
  EXPECT_EQ(effort.explanations, std::numeric_limits<unsigned>::max());
  EXPECT_EQ(effort.left_out, "");
}

TEST(Effort, FallsToTheLeastWhereACallTakesLong) {
  for (std::uint64_t operations = 1000; operations < 10'000'000'000; operations *= 2) {
    const Effort effort = choose_effort({shape_of(operations)}, usual(60));
    const unsigned points = effort.samples + effort.brief_samples + effort.edge_samples;
    EXPECT_GE(effort.combinations, 2U);
    EXPECT_GE(effort.samples, 1U);
    EXPECT_EQ(effort.left_out.empty(), effort.combinations == 60 && points == 21 && effort.wide_shapes.front());
  }
  const Effort least = choose_effort({shape_of(10'000'000'000)}, usual(60));
  EXPECT_EQ(least.combinations, 2U);
  EXPECT_EQ(least.samples + least.brief_samples + least.edge_samples, 1U);
  EXPECT_EQ(least.depth, Depth::derivative);
  EXPECT_EQ(least.explanations, 0U);
}

/// A wrong number is sought among many along directions, with each oracle.
TEST(Effort, LeavesTimeToExplainAFailureOfManyNumbers) {
  EXPECT_EQ(choose_effort({shape_of(9000, 40)}, usual(31)).shrink_steps, 200U);
  const Effort effort = choose_effort({shape_of(9000, 600)}, usual(31));
  EXPECT_GE(effort.explanations, 1U);
  EXPECT_LE(effort.shrink_steps, 40U);
}

/// A matrix of 2 x 2 tells most of what one of 40 x 40 does.
TEST(Effort, UsesWideArithmeticForTheShapesThatHaveTime) {
  const Effort effort = choose_effort({shape_of(100'000'000), shape_of(1000), shape_of(20'000'000)}, usual(60));
  EXPECT_EQ(effort.wide_shapes, (std::vector{false, true, false}));
  EXPECT_NE(effort.left_out.find("no wide arithmetic at 2 of 3 sizes"), std::string::npos) << effort.left_out;
}

TEST(Effort, SaysWhatItLeavesOut) {
  const Effort effort = choose_effort({shape_of(200'000'000)}, usual(60));
  EXPECT_EQ(effort.depth, Depth::derivative);
  EXPECT_NE(
      effort.left_out.find("of 60 combinations, 1 of 3 points, 0 of 18 further points, only the derivative at each, "
                           "no wide arithmetic: a call takes 2e+08 operations on 4 numbers"),
      std::string::npos)
      << effort.left_out;
}

TEST(Effort, KeepsWhatTheUserChose) {
  WantedEffort wanted = usual(60);
  wanted.budget = 10;
  wanted.samples = 5;
  wanted.keeps_samples = true;
  const Effort effort = choose_effort({shape_of(200'000'000)}, wanted);
  EXPECT_EQ(effort.combinations, 10U);
  EXPECT_EQ(effort.samples, 5U);
}

TEST(Effort, CountsAllShapes) {
  const Effort one = choose_effort({shape_of(3'000'000)}, usual(60));
  const Effort many = choose_effort(std::vector<CostOfShape>(8, shape_of(3'000'000)), usual(60));
  EXPECT_LT(many.combinations * (many.samples + many.brief_samples),
            one.combinations * (one.samples + one.brief_samples));
}

std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  for (const Mode mode : {Mode::forward, Mode::reverse})
    for (const unsigned width : {1U, 4U})
      for (const Activity first : {Activity::constant, Activity::duplicated})
        for (const Activity second : {Activity::constant, Activity::duplicated})
          all.push_back({mode, Activity::duplicated, {first, second}, width});
  return all;
}

TEST(Effort, DrawsTheFullestPlainCombinationOfEachModeAndOthersByTheSeed) {
  const std::vector<Combination> all = all_combinations();
  const std::vector<Activity> full{Activity::duplicated, Activity::duplicated};
  CheckOptions options;
  for (options.seed = 1; options.seed < 20; ++options.seed) {
    const std::vector<Combination> drawn = draw_combinations(all, 5, options);
    ASSERT_EQ(drawn.size(), 5U);
    EXPECT_EQ(drawn, draw_combinations(all, 5, options));
    for (const Mode mode : {Mode::forward, Mode::reverse})
      EXPECT_TRUE(std::find(drawn.begin(), drawn.end(), Combination{mode, Activity::duplicated, full}) != drawn.end());
  }
  options.seed = 1;
  CheckOptions other;
  other.seed = 2;
  EXPECT_NE(draw_combinations(all, 5, options), draw_combinations(all, 5, other));
  EXPECT_EQ(draw_combinations(all, all.size(), options), all);
}

} // namespace
} // namespace assay::testutils
