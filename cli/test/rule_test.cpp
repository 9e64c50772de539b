// Would catch: rules of C++ that the check does not see, rules that are not found by their names, and faults of a rule
// that --rule passes.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Two rules for numbers, the one for `bell` with the fault FAULT; one for a container, which a function of pointers
/// calls; one of the C convention; one that nothing uses.
constexpr const char *rules = R"(
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <vector>
using namespace assay;

double cube(double x) { return x * x * x; }
struct CubeRule {
  static auto forward(const auto &, auto x) {
    return Duplicated{cube(x.value), 3 * x.value * x.value * x.shadow()};
  }
  static auto reverse(const auto &, auto dy, None, auto x) { return 3 * x.value * x.value * dy; }
};
ASSAY_RULE(CubeRule, cube);

double scratch;
double detached(double x) { return x; }
ASSAY_RULE(rules::inactive, detached);
double bell(double x) { return std::exp(-x * x); }
struct BellRule {
  static auto augmented_primal(const auto &, auto x) {
    scratch = std::exp(-x.value * x.value);
    return AugmentedReturn{double(scratch), None{}, double(scratch)};
  }
  static auto reverse(const auto &, auto dy, double kept, auto x) { return FAULT * dy; }
};
ASSAY_RULE(BellRule, bell);

namespace vectors {
double length(const std::vector<double> &x) {
  double sum = 0;
  for (const double each : x)
    sum += each * each;
  return std::sqrt(sum);
}
struct LengthRule {
  static auto forward(const auto &, auto x) {
    double y = length(x.value), sum = 0;
    for (std::size_t i = 0; x.is_active() && i < x.value.size(); ++i)
      sum += x.value[i] * x.shadow()[i];
    return Duplicated{std::move(y), sum / y};
  }
  static auto augmented_primal(const auto &, auto x) {
    const double y = length(x.value);
    return AugmentedReturn{y, None{}, std::pair(x.value, y)};
  }
  static void reverse(const auto &config, auto dy, const auto &kept, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < kept.first.size(); ++i)
        x.shadow(lane)[i] += dy(lane) * kept.first[i] / kept.second;
  }
};
ASSAY_RULE(LengthRule, length);
} // namespace vectors
double length_of(const double *x, int n) { return vectors::length(std::vector<double>(x, x + n)); }
ASSAY_CHECK(length_of, "double[3]", "int=3");

double lonely(const std::vector<double> &x) { return x[0]; }
struct LonelyRule {
  static void reverse(const auto &config, auto dy, None, auto x) {
    for (const int lane : config.lanes())
      x.shadow(lane)[0] += dy(lane);
  }
};
ASSAY_RULE(LonelyRule, lonely);

extern "C" {
double twice(double x) { return 2 * x; }
double twice_tangent(double x, double dx) { return 2 * dx; }
void *__enzyme_register_derivative_twice[] = {(void *)twice, (void *)twice_tangent};
}
)";

class RuleOption : public testing::Test {
protected:
  explicit RuleOption(const std::string &slope = "-2 * x.value * kept") {
    std::string text = rules;
    text.replace(text.find("FAULT"), 5, slope);
    place.write("rules.cpp", text);
  }
  Outcome check(const std::string &words) const { return place.assay("check rules.cpp --rule " + words); }
  void expect_refusal(const std::string &words, const std::string &part) const {
    const Outcome outcome = check(words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.output;
    EXPECT_THAT(outcome.errors, HasSubstr(part)) << words;
  }

  Workplace place;
};

TEST_F(RuleOption, ChecksARuleByItsFunction) {
  const Outcome outcome = check("cube");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("rule cube: CubeRule::forward, registered by ASSAY_RULE"),
                                    HasSubstr("rule cube: CubeRule::augmented_primal and CubeRule::reverse"),
                                    Not(HasSubstr("no second order")), Not(HasSubstr("note:"))));
}

TEST_F(RuleOption, ChecksARuleByItsClassThroughTheMarkedFunctionsThatUseIt) {
  const Outcome outcome = check("LengthRule");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("length_of "), HasSubstr("rule vectors::length: vectors::LengthRule::")));
}

TEST_F(RuleOption, ChecksARuleOfTheCConvention) {
  for (const char *name : {"twice", "__enzyme_register_derivative_twice"}) {
    const Outcome outcome = check(name + std::string(" --plain"));
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("rule twice: twice_tangent, registered by"));
  }
}

TEST_F(RuleOption, SaysWhatCannotBeChecked) {
  expect_refusal("cubes", "no rule 'cubes' in rules.cpp; it has rules for 'bell', 'cube'");
  expect_refusal("lonely", "the rule 'lonely' cannot be checked: ");
  expect_refusal("cube --function bell", "the derivatives of 'bell' do not use the rule 'cube'");
  expect_refusal("cube --arg 'double[3'", "double[3<here>");
  place.write("plain.cpp", "double f(double x) { return x; }\n");
  const Outcome outcome = place.assay("check plain.cpp --rule f");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("plain.cpp registers no rule"));
}

TEST_F(RuleOption, IsOfTheReplayCommandAndOfTheRecord) {
  const Outcome outcome = check("cube --function cube --plain --samples 1 --report r");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(check("cube --plain --samples 1 --report r").code, 0);
  std::ostringstream records;
  records << std::ifstream(place.path() / "r" / "records.jsonl").rdbuf();
  EXPECT_THAT(records.str(),
              AllOf(HasSubstr(R"("rule":"cube")"), HasSubstr("--function cube --arg double --rule cube --seed 1")));
  EXPECT_THAT(place.assay("replay 1 --report r").output,
              AllOf(HasSubstr("bit for bit as recorded"), HasSubstr("rule cube: CubeRule::forward")));
}

TEST_F(RuleOption, FindsEveryFaultThatIsPlantedInARule) {
  const Outcome outcome = place.assay("mutate rules.cpp --rule bell --at-least 100 --jobs 2");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("faults in registered rules of 1 functions"), HasSubstr("sign  "),
                                    HasSubstr("seed-zero"), HasSubstr("magnitude")));
}

/// What a fault of `bell` is called.
struct RuleFault {
  std::string name, slope, message;
};
class RuleFaults : public RuleOption, public testing::WithParamInterface<RuleFault> {
protected:
  RuleFaults() : RuleOption(GetParam().slope) {}
};

TEST_P(RuleFaults, AreFoundByName) {
  const Outcome outcome = check("bell --mode reverse");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr(GetParam().message), HasSubstr("rule        bell: BellRule::")));
}

INSTANTIATE_TEST_SUITE_P(, RuleFaults,
                         testing::Values(RuleFault{"Factor", "-x.value * kept", "a factor of 1/2"},
                                         RuleFault{"StaticScratch", "-2 * x.value * scratch",
                                                   "each call changes the variable scratch"},
                                         RuleFault{"WrongAtSecondOrder", "-2 * detached(x.value) * kept",
                                                   "second derivative, forward over reverse"}),
                         [](const testing::TestParamInfo<RuleFault> &info) { return info.param.name; });

/// As in the user's own build, where the plugin is loaded.
TEST(AttributesOfTheConvention, HoldInWhatIsChecked) {
  const Workplace place;
  place.write("f.c",
              "#include <assay/check.h>\n#include <math.h>\n"
              "__attribute__((enzyme_inactive)) double level(double x) { return x > 5 ? x - 4 : 1; }\n"
              "double scaled(double x, double y) { return level(x) * y; }\nASSAY_CHECK(scaled);\n"
              "__attribute__((enzyme_function_like(\"log1p\"))) double series(double x) { return x - x * x / 2; }\n"
              "double twice(double x) { return 2 * series(x); }\nASSAY_CHECK(twice, \"double:(0,0.5)\");\n");
  for (const char *function : {"scaled", "twice"})
    for (const std::string &level : optimisation_levels()) {
      const Outcome outcome =
          place.assay(fmt::format("check f.c --function {} --opt-level {} --plain{}", function, level,
                                  function == std::string("twice") ? " --arg 'double:(0,0.5)'" : ""));
      EXPECT_EQ(outcome.code, 1) << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr("wrong derivative: forward of " + std::string(function)));
    }
}

TEST(NotSeen, IsNothingWhereTheLastCombinationSawTheRest) {
  const Workplace place;
  place.write("f.c", "#include <assay/check.h>\ndouble square(double x) { return x * x; }\n"
                     "double square_tangent(double x, double dx) { return 2 * x * dx; }\n"
                     "void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_tangent};\n"
                     "double squared(double x, double y) { return square(x) * y; }\nASSAY_CHECK(squared);\n");
  const Outcome outcome = place.assay("check f.c --plain");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, Not(HasSubstr("not seen")));
}

TEST(NotSeen, NamesSplitForwardRules) {
  const Workplace place;
  place.write("f.c", "#include <assay/check.h>\n#include <stdlib.h>\n"
                     "double cube(double x) { return x * x * x; }\n"
                     "struct augmented { void *tape; double value; };\n"
                     "struct augmented cube_augmented(double x) { return (struct augmented){NULL, cube(x)}; }\n"
                     "double cube_forward(double x, double dx, void *tape) { return 2 * x * x * dx; }\n"
                     "double cube_tangent(double x, double dx) { return 3 * x * x * dx; }\n"
                     "void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)cube_tangent};\n"
                     "void *__enzyme_register_splitderivative_cube[] = {(void *)cube, (void *)cube_augmented, "
                     "(void *)cube_forward};\n"
                     "double cubed(double x, double y) { return cube(x) * y; }\nASSAY_CHECK(cubed);\n");
  const Outcome outcome = place.assay("check f.c --plain");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("no split forward mode, which __enzyme_register_splitderivative_cube is for"));
}

// Would catch: comparisons of the templates that call rules, with names of hundreds of characters.
TEST(NotSeen, HasNoComparisonsOfTheTemplatesThatCallRules) {
  const Workplace place;
  place.write("f.cpp", R"cpp(
#include <assay/check.h>
#include <assay/rules.hpp>
#include <algorithm>
#include <optional>
#include <vector>
using namespace assay;

std::optional<double> between(const std::vector<double> &y, double x) {
  if (x < 0 || x > double(y.size() - 1))
    return std::nullopt;
  const std::size_t i = std::min<std::size_t>(std::size_t(x), y.size() - 2);
  return y[i] + (x - i) * (y[i + 1] - y[i]);
}
struct BetweenRule {
  static auto augmented_primal(const auto &, auto y, auto x) {
    return AugmentedReturn{between(y.value, x.value), None{}, std::vector<double>(y.value)};
  }
  static void reverse(const auto &config, const auto &seed, const auto &kept, auto y, auto x) {
    for (const int lane : config.lanes()) {
      if (!seed(lane).has_value())
        continue;
      const std::size_t i = std::min<std::size_t>(std::size_t(x.value), kept.size() - 2);
      if (y.is_active()) {
        y.shadow(lane)[i] += *seed(lane) * (1 - (x.value - i));
        y.shadow(lane)[i + 1] += *seed(lane) * (x.value - i);
      }
      x.shadow(lane) += *seed(lane) * (kept[i + 1] - kept[i]);
    }
  }
};
ASSAY_RULE(BetweenRule, between);
double curve(const std::vector<double> &y, double x) {
  const std::optional<double> found = between(y, x);
  return found ? *found * *found : -1;
}
ASSAY_CHECK(curve, "vector[6]", "double:(-1,6)");
)cpp");
  const Outcome outcome = place.assay("check f.cpp --plain");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, Not(HasSubstr("rules::detail")));
}

} // namespace
