// Would catch: a right derivative of a difficult function that is called wrong, and one that is left undecided.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using assay::cli::test::campaign_size;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

struct Program {
  const char *name;
  const char *file;
};

class Difficult : public testing::TestWithParam<std::tuple<Program, std::string>> {};

TEST_P(Difficult, IsNeverWrongAndSeldomUndecided) {
  const auto &[program, level] = GetParam();
  const Workplace place;
  const Outcome outcome = place.assay(fmt::format("check {}/{} --opt-level {} --plain --budget {} --samples 3",
                                                  ASSAY_PROGRAMS, program.file, level, campaign_size(1, 2)));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  int checked = 0, passed = 0, failed = 0;
  ASSERT_EQ(std::sscanf(outcome.last_line().c_str(), "%d combinations checked, %d passed, %d failed", &checked, &passed,
                        &failed),
            3)
      << outcome.output;
  EXPECT_EQ(failed, 0) << outcome.output;
  EXPECT_GE(20 * passed, 19 * checked) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Difficult,
    testing::Combine(testing::Values(Program{"Numerics", "difficult_numerics.c"}, Program{"Rules", "difficult_rules.c"},
                                     Program{"SecondOrder", "difficult_second_order.c"},
                                     Program{"Sizes", "difficult_sizes.c"}, Program{"Text", "difficult_text.c"},
                                     Program{"Objects", "difficult_objects.cpp"},
                                     Program{"Roots", "difficult_roots.c"}),
                     testing::ValuesIn(optimisation_levels())),
    [](const auto &parameters) {
      return fmt::format("{}At{}", std::get<0>(parameters.param).name, std::get<1>(parameters.param));
    });

/// With the default settings, at points that were called wrong.
struct Point {
  const char *name;
  const char *request;
};

class DifficultPoint : public testing::TestWithParam<Point> {};

TEST_P(DifficultPoint, IsNeverWrong) {
  const Workplace place;
  const Outcome outcome = place.assay(fmt::format("check {}/difficult_{}", ASSAY_PROGRAMS, GetParam().request));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.last_line().find(" 0 failed"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(
    Points, DifficultPoint,
    testing::Values(
        Point{"ALargeNumberStays", "sizes.c --function kick"}, Point{"LargeParametersStay", "sizes.c --function adam"},
        Point{"AdjointsOfFloatsAreFloats", "sizes.c --function spread"},
        Point{"AdjointsOfFloatsBesideSums", "sizes.c --function variance"},
        Point{"WholePeriods", "sizes.c --function log_gamma"},
        Point{"FusedFloatsAreFloats", "sizes.c --function chain --arg 'float[n]' --arg double --arg int=1..30"},
        Point{"AnglesOfManyPeriods",
              "sizes.c --function phases --arg 'double[32]' --arg 'double[32]' --arg int=32 --arg double --seed 2"},
        Point{"OnceInCallsThatTakeTurns", "threads.cpp"},
        Point{"NothingIsLeftInWideArithmetic", "numerics.c --function sextic --arg double:nonzero"},
        Point{"WhatIsAddedHasNoDigits",
              "numerics.c --function softmax_entropy --arg 'double[5]=-1,-1,-1,-1,1' --arg int=5 --seed 3"},
        Point{"TiesBesideSmallAdjoints",
              "numerics.c --function softmax_entropy --arg 'double[5]=0,0,0,0,1' --arg int=5"},
        Point{"EdgesThatMakeUpASmoothFunction", "numerics.c --function softplus --arg double=0"},
        Point{"EdgesOfTheLibraryThatDo",
              "numerics.c --function logistic_loss --arg 'double[2]=0,0' --arg 'double[2]=0,1' --arg int=2"},
        Point{"TheFunctionUnderflows",
              "numerics.c --function subnormal_product --arg double:positive --arg double:positive --seed 3"},
        Point{"BesideAJumpOfTheSecondDerivative", "second_order.c --function uses_sinc"},
        Point{"DifferencesThatDoNotConverge", "second_order.c --function uses_power --arg double=0 --arg double=2.2"},
        Point{"WhereARuleCutsOffWhatIsTiny", "rules.c --function uses_bell --arg double=-0"}),
    [](const auto &point) { return std::string(point.param.name); });

TEST(UnchangedMemory, IsWrittenAllTheSame) {
  const Workplace place;
  const Outcome outcome = place.assay("check " ASSAY_PROGRAMS "/unchanged_memory.c");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

} // namespace
