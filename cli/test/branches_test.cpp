// Would catch: faults behind branches that no random point takes, branches that nobody took without a word, points
// outside the domain, and right rules that are rejected at ties.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gtest/gtest.h>

namespace {

using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

/// `f` of x, with a rule for reverse mode.
std::string with_rule(const std::string &function, const std::string &reverse, const std::string &domain) {
  return "#include <assay/check.h>\n#include <math.h>\n"
         "struct augmented { void *tape; double primal; };\n"
         "double g(double x) { " +
         function +
         " }\n"
         "struct augmented g_augmented(double x) { struct augmented a = {0, g(x)}; return a; }\n"
         "double g_reverse(double x, double seed, void *tape) { " +
         reverse +
         " }\n"
         "void *__enzyme_register_gradient_g[] = {(void *)g, (void *)g_augmented, (void *)g_reverse};\n"
         "double f(double x) { return g(x) * 3; }\n"
         "ASSAY_CHECK(f, \"" +
         domain + "\");\n";
}

class Branches : public testing::TestWithParam<std::string> {
protected:
  Outcome check(const std::string &source) const {
    place_.write("f.c", source);
    return place_.assay("check f.c --opt-level " + GetParam());
  }

private:
  Workplace place_;
};

TEST_P(Branches, ThatNoRandomPointTakesAreFound) {
  const Outcome outcome =
      check(with_rule("return x * x;", "if (x > 1e4)\n return x * seed;\n return 2 * x * seed;", "double"));
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_EQ(outcome.output.find("no input found"), std::string::npos) << outcome.output;
}

TEST_P(Branches, BeyondTheDomainAreNotSeen) {
  const Outcome outcome =
      check(with_rule("return x * x;", "if (x > 1e4)\n return x * seed;\n return 2 * x * seed;", "double:(0,5)"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("not seen: no input found where the comparison at f.c:6 in g_reverse is true"),
            std::string::npos)
      << outcome.output;
}

TEST_P(Branches, OfSeedsThatAreZeroAreSeen) {
  const Outcome outcome =
      check(with_rule("return x * x;", "if (seed == 0)\n return 0;\n return 2 * x * seed;", "double"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("no input found"), std::string::npos) << outcome.output;
}

TEST_P(Branches, AtTiesAreThoseOfTheFunction) {
  const std::string left = "return (x <= 0.375 ? -1 : 1) * seed;", right = "return (x < 0.375 ? -1 : 1) * seed;";
  const std::string own = "return x < 0.375 ? 0.375 - x : x - 0.375;", of_library = "return fabs(x - 0.375);";
  const Outcome outcome = check(with_rule(own, left, "double"));
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("the point is a tie of a comparison at f.c:4"), std::string::npos) << outcome.output;
  EXPECT_EQ(check(with_rule(own, right, "double")).code, 0);
  EXPECT_EQ(check(with_rule(of_library, left, "double")).code, 0) << "either side will do";
  EXPECT_EQ(check(with_rule(of_library, right, "double")).code, 0);
}

TEST_P(Branches, OfCodeWithoutRulesPass) {
  const Outcome outcome = check("#include <assay/check.h>\n#include <math.h>\n"
                                "double f(const double *x) {\n"
                                "  double most = x[0], sum = 0;\n"
                                "  for (int i = 1; i < 5; ++i)\n"
                                "    most = x[i] > most ? x[i] : most;\n"
                                "  switch ((int)most) {\n"
                                "  case 7: sum = most * x[0]; break;\n"
                                "  case -3: return fmax(x[1], x[2]);\n"
                                "  default: sum = fabs(x[3]) + x[4]; }\n"
                                "  return most > 100 ? sum * sum : sum;\n"
                                "}\n"
                                "ASSAY_CHECK(f, \"double[5]\");\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("no input found"), std::string::npos) << outcome.output;
}

TEST_P(Branches, WhoseCodeCrashesEndTheSearchAlone) {
  const Outcome outcome = check("#include <assay/check.h>\n#include <stdlib.h>\n"
                                "double f(double x) {\n"
                                "  if (x > 1000)\n"
                                "    abort();\n"
                                "  return x * x;\n"
                                "}\n"
                                "ASSAY_CHECK(f, \"double\");\n");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("not seen: no inputs were searched for comparisons: the function"), std::string::npos)
      << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(At, Branches, testing::ValuesIn(optimisation_levels()),
                         [](const auto &info) { return std::string("O") + info.param; });

} // namespace
