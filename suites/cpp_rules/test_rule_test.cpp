// test_rule on a rule of numbers: it passes when right, and is found out when wrong.
#include <assay/rules.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

using namespace assay;

namespace {

double wrong = 1; // NOLINT: chosen by the test

double hill(double x, double y) {
  return std::exp(-x * x) * y;
}
struct HillRule {
  static auto forward(const auto & /*config*/, auto x, auto y) {
    const double e = std::exp(-x.value * x.value);
    return Duplicated{e * y.value, -2 * x.value * e * y.value * x.shadow() + e * y.shadow()};
  }
  static auto reverse(const auto & /*config*/, auto dz, None /*tape*/, auto x, auto y) {
    const double e = std::exp(-x.value * x.value);
    return std::tuple{-2 * wrong * x.value * e * y.value * dz, e * dz};
  }
};
ASSAY_RULE(HillRule, hill);

constexpr auto few_forms = in_forms<TestForm{.width = 3, .split = true}>;

TEST(TestRule, PassesARightRule) {
  wrong = 1;
  test_rule(TestOptions{.name = "hill", .variations = few_forms, .oracle = off}, hill, 0.5, 1.5);
}

TEST(TestRule, SaysThatTheRuleIsWrongAndNotTheFunction) {
  wrong = 0.5;
  const RuleReport report =
      check_rule(TestOptions{.name = "hill", .variations = few_forms, .oracle = off}, hill, 0.5, 1.5);
  wrong = 1;
  ASSERT_FALSE(report.ok());
  const std::string text = judgement(report.findings[1]);
  EXPECT_TRUE(text.starts_with("rule, reverse mode: ")) << text;
  EXPECT_TRUE(text.ends_with("the engine's own derivative of the function agrees with the oracles: the rule is wrong"))
      << text;
}

// A type that no other file sees, and a rule that calls what has no derivative.
struct Weights {
  std::vector<double> numbers;
};
struct MeasuredRule {
  static void reverse(const auto &config, auto dy, None /*tape*/, auto w) {
    char text[32]; // NOLINT(modernize-avoid-c-arrays): as the library takes it
    for (std::size_t i = 0; w.is_active() && i < w.value.numbers.size(); ++i) {
      std::snprintf(text, sizeof text, "%a", 2 * w.value.numbers[i]);
      for (const int lane : config.lanes())
        w.shadow(lane).numbers[i] += std::strtod(text, nullptr) * dy(lane);
    }
  }
};
double measured(const Weights &w) {
  ASSAY_RULE(MeasuredRule, measured);
  double sum = 0;
  for (const double each : w.numbers)
    sum += each * each;
  return sum;
}

TEST(TestRule, LeavesOutTheSecondOrder) {
  const RuleReport report =
      check_rule(TestOptions{.name = "measured", .variations = off, .oracle = off, .second_order = off}, measured,
                 Weights{{1, 2}});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.findings.size(), 8);
}

// Would catch: a right rule that is called wrong because calls at other inputs were made where its function throws, or
// where its result holds no number.
double root(double x) {
  if (x < 0)
    throw std::domain_error("the root of a negative number");
  return std::sqrt(x) * x;
}
struct RootRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) { return 1.5 * std::sqrt(x.value) * dy; }
};
ASSAY_RULE(RootRule, root);
std::optional<double> square_of_positive(double x) {
  return x > 0 ? std::optional(x * x) : std::nullopt;
}
struct SquareOfPositiveRule {
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes())
      if (dy(lane))
        x.shadow(lane) += 2 * x.value * *dy(lane);
  }
};
ASSAY_RULE(SquareOfPositiveRule, square_of_positive);

TEST(TestRule, CallsTheFunctionWhereItCanBeRun) {
  test_rule(TestOptions{.variations = off}, root, 0.75);
  test_rule(TestOptions{.variations = off}, square_of_positive, 0.75);
}

// Would catch: a right rule that is called wrong because its first derivative, compiled as a part of the second one, is
// rounded otherwise there.
double angles(const std::vector<double> &x) {
  double sum = 0;
  for (const double each : x)
    sum += std::atan(each);
  return sum;
}
struct AnglesRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{angles(x.value), None{}, x.value};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < kept.size(); ++i)
        x.shadow(lane)[i] += dy(lane) / (1 + kept[i] * kept[i]);
  }
};
ASSAY_RULE(AnglesRule, angles);

TEST(TestRule, DoesNotAskForTheBitsOfFirstDerivativesInSecondOnes) {
  test_rule(TestOptions{.variations = off}, angles, std::vector<double>{1, 2, 3, 4, 5});
}

// Would catch: a rule that rounds its argument to float, which passed at numbers of few digits.
double cube(double x) {
  return x * x * x;
}
struct RoundingRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) {
    const double rounded = static_cast<float>(x.value);
    return 3 * rounded * rounded * dy;
  }
};
ASSAY_RULE(RoundingRule, cube);

/// In another rounding mode, what is rounded to a grid moves by a step of the grid; that is no rounding of the
/// arithmetic.
[[gnu::noinline]] double through_text(double number) {
  char text[64];
  static_cast<void>(std::snprintf(text, sizeof text, "%.7g", number));
  return std::strtod(text, nullptr);
}
[[gnu::noinline]] double through_integers(double number) {
  return static_cast<double>(std::lrint(number * 1e6)) / 1e6;
}
ASSAY_RULE(rules::inactive, through_text);
ASSAY_RULE(rules::inactive, through_integers);

/// The derivative of x sin(x), rounded to a grid.
template <double (*rounded)(double)>
struct RoundedRule {
  static auto forward(const auto & /*config*/, auto x) {
    return Duplicated{std::sin(x.value) * x.value, slope(x.value) * x.shadow()};
  }
  static auto reverse(const auto & /*config*/, auto dz, None /*tape*/, auto x) {
    return std::tuple{slope(x.value) * dz};
  }

private:
  static double slope(double x) { return rounded(std::cos(x) * x + std::sin(x)); }
};
double sine_by_text(double x) {
  return std::sin(x) * x;
}
double sine_by_integers(double x) {
  return std::sin(x) * x;
}
ASSAY_RULE(RoundedRule<through_text>, sine_by_text);
ASSAY_RULE(RoundedRule<through_integers>, sine_by_integers);

TEST(TestRule, FindsWhatIsRoundedThroughTextOrIntegers) {
  EXPECT_FALSE(check_rule(TestOptions{.variations = off, .second_order = off}, sine_by_text, 0.75).ok());
  EXPECT_FALSE(check_rule(TestOptions{.variations = off, .second_order = off}, sine_by_integers, 0.75).ok());
}

TEST(TestRule, FindsRoundingAtNumbersOfFewDigits) {
  EXPECT_FALSE(check_rule(TestOptions{.variations = off}, cube, 0.75).ok());
}

// Would catch: a rule that is right while the processor rounds to nearest alone.
double tangle(double x) {
  return std::sin(x) * x;
}
struct TangleRule {
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) {
    const double slope = std::cos(x.value) * x.value + std::sin(x.value);
    return (wrong != 1 && std::fegetround() != FE_TONEAREST ? wrong * slope : slope) * dy;
  }
};
ASSAY_RULE(TangleRule, tangle);

TEST(TestRule, CallsTheRuleInOtherRoundingModes) {
  const auto check = [] { return check_rule(TestOptions{.variations = off, .second_order = off}, tangle, 0.75).ok(); };
  EXPECT_TRUE(check());
  wrong = 0.5;
  EXPECT_FALSE(check());
  wrong = 1;
}

} // namespace
