// The bounded run of random programs, and what surrounds it.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace {

using assay::cli::test::campaign_size;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

// Would catch: a program that compiles at one level only, or has another gradient there.
TEST(Fuzz, RandomProgramsHaveRightGradientsAtAllLevels) {
  const std::string programs = std::to_string(campaign_size(16, 48));
  const Outcome outcome = Workplace().assay("fuzz --seed 2 --programs " + programs + " --shrink-budget 20");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(outcome.last_line().starts_with(programs + " programs, ")) << outcome.output;
}

// Would catch: a gradient that is wrong only where a rare kind of statement is beside another one.
TEST(Fuzz, ProgramsWithMuchOfEveryKindHaveRightGradients) {
  const Outcome outcome = Workplace().assay("fuzz --seed 3 --programs " + std::to_string(campaign_size(8, 24)) +
                                            " --weight all=4 --shrink-budget 20");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(Fuzz, AWeightOfNoKindIsRefused) {
  const Outcome outcome = Workplace().assay("fuzz --weight threads=1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("lists"), std::string::npos) << outcome.errors;
}

// Would catch: programs that depend on how the work is divided.
TEST(Fuzz, ShardsDivideThePrograms) {
  const Outcome outcome = Workplace().assay("fuzz --seed 2 --programs 10 --shard 2/4 --levels 1");
  EXPECT_TRUE(outcome.last_line().starts_with("3 programs, ")) << outcome.output << outcome.errors;
}

/// Without the plugin the derivatives are calls of functions that do not exist.
TEST(Fuzz, AFailureIsShrunkAndWrittenAndEndsWithOne) {
  const Workplace place;
  place.write("empty.c", "int nothing;");
  ASSERT_EQ(place.shell(std::string(ASSAY_CLANG) + " -shared empty.c -o no-plugin.so").code, 0);
  const Outcome outcome =
      place.assay("fuzz --only 3 --levels 1 --plugin no-plugin.so --report failures --shrink-budget 1");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.last_line(), "1 programs, 0 passed, 1 failed, 0 undecided");
  EXPECT_TRUE(std::filesystem::exists(place.path() / "failures" / "seed-1-program-3.c"));
}

TEST(Fuzz, AWrongListOfLevelsIsRefused) {
  const Outcome outcome = Workplace().assay("fuzz --levels 0,7");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("--levels"), std::string::npos) << outcome.errors;
}

TEST(Fuzz, AWrongShardIsRefused) {
  EXPECT_EQ(Workplace().assay("fuzz --shard 5/4").code, 2);
}

} // namespace
