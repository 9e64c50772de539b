// Would catch: a right derivative that is called wrong because the problem is ill-conditioned, a wrong one that
// rounding excuses, and digits lost without a word.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gtest/gtest.h>

namespace {

using assay::cli::test::by_default;
using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

class Conditioning : public testing::TestWithParam<std::string> {};

TEST_P(Conditioning, NeverMakesARightDerivativeWrong) {
  const Workplace place;
  const Outcome outcome =
      place.assay("check " ASSAY_PROGRAMS "/ill_conditioned.c --opt-level " + GetParam() + by_default(" --budget 12"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.last_line().find(" 0 failed"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("digits lost to cancellation at ill_conditioned.c:"), std::string::npos)
      << outcome.output;
}

TEST_P(Conditioning, DoesNotExcuseAWrongRule) {
  const Workplace place;
  const Outcome outcome = place.assay("check " ASSAY_PROGRAMS "/ill_conditioned_rules.c --opt-level " + GetParam());
  EXPECT_EQ(outcome.code, 0) << outcome.output; // All are marked as wrong.
  EXPECT_EQ(outcome.output.find("no combination failed"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Levels, Conditioning, testing::ValuesIn(optimisation_levels()));

/// Numbers that cancel in wide arithmetic as well, where the error of its differences is easily underestimated.
TEST(Conditioning, KnowsTheErrorOfWideArithmetic) {
  for (const char *request : {"--function secant --arg double", "--function versine --arg double:nonzero"}) {
    const Outcome outcome =
        Workplace().assay(std::string("check " ASSAY_PROGRAMS "/ill_conditioned.c --seed 3 ") + request);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
  }
}

TEST(Conditioning, FailsWhereTheUserLimitsTheDigits) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x) { double h = 1e-9; return (exp(x + h) - exp(x)) / h; }\n");
  const std::string check = "check f.c --function f --arg double:positive --plain";
  EXPECT_EQ(place.assay(check).code, 0);
  const Outcome limited = place.assay(check + " --digits-lost 6");
  EXPECT_EQ(limited.code, 1);
  EXPECT_NE(limited.output.find("digits lost to cancellation at f.c:2"), std::string::npos) << limited.output;
  EXPECT_NE(limited.replay_command().find("--digits-lost 6"), std::string::npos) << limited.output;
}

} // namespace
