// test_rule finds rules that are wrong in one way each, and passes the right one. One rule has all the faults, of which
// one is chosen when the test runs.
#include <assay/rules.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

using namespace assay;

namespace {

std::string fault; // NOLINT: chosen by the test
bool has(const char *name) {
  return fault == name;
}
/// 1, or another factor where the rule has the fault.
double factor(const char *name, double wrong) {
  return has(name) ? wrong : 1;
}

/// y_i += a x_i^2, and the sum of y_i x_i.
double blend(double a, const std::vector<double> &x, std::vector<double> &y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] += a * x[i] * x[i];
    sum += y[i] * x[i];
  }
  return sum;
}

struct Kept {
  std::vector<double> x, y;
};
int calls = 0;

struct BlendRule {
  static auto forward(const auto &config, auto a, auto x, auto y) {
    const std::vector<double> before = y.value;
    double value = blend(a.value, x.value, y.value);
    auto tangents = config.each_lane([&](int lane) {
      double sum = 0;
      for (std::size_t i = 0; i < x.value.size(); ++i) {
        double dy = has("forward: drops the tangent of a") ? 0 : a.shadow(lane) * x.value[i] * x.value[i];
        dy *= factor("forward: sign of the tangent of a", -1);
        const double dx = x.is_active() ? x.shadow(has("forward: first lane for all") ? 0 : lane)[i] : 0;
        dy += factor("forward: factor of the tangent of x", 0.5) * 2 * a.value * x.value[i] * dx;
        if (y.is_active() && !has("forward: drops the tangent of y"))
          dy += y.shadow(lane)[i];
        if (y.is_active() && !has("forward: leaves the shadow of y"))
          y.shadow(lane)[i] = dy;
        sum += dy * x.value[i] + (has("forward: y before the call") ? before[i] : y.value[i]) * dx;
      }
      return sum;
    });
    if (has("forward: leaves y"))
      y.value = before;
    value *= factor("forward: value", 2);
    if (has("forward: no value at width 1") && config.width() == 1)
      value = 0;
    return Duplicated<double, rules::Lanes<double>>{value, std::move(tangents)};
  }

  static auto augmented_primal(const auto & /*config*/, auto a, auto x, auto y) {
    Kept kept{x.value, y.value};
    double value = blend(a.value, x.value, y.value);
    if (!has("augmented: keeps y before the call"))
      kept.y = y.value;
    if (has("augmented: leaves y"))
      for (double &each : y.value)
        each = 0;
    value *= factor("augmented: value", 2);
    calls = 0;
    return AugmentedReturn{value, None{}, std::move(kept)};
  }

  static void reverse(const auto &config, auto dr, const Kept &kept, auto a, auto x, auto y) {
    const std::vector<double> &xs = has("reverse: reads x again") ? x.value : kept.x;
    const std::vector<double> &ys = has("reverse: reads y again") ? y.value : kept.y;
    const int width = has("reverse: first lane only") ? 1 : config.width();
    for (int lane = 0; lane < width; ++lane) {
      const double seed = dr(has("reverse: seed of the first lane") ? 0 : lane);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        double adjoint = has("reverse: drops the seed") ? 0 : seed * xs[i];
        if (y.is_active())
          adjoint += has("reverse: drops the adjoint of y") ? 0 : y.shadow(lane)[i];
        a.shadow(lane) += factor("reverse: sign of a", -1) * xs[i] * xs[i] * adjoint;
        if (has("reverse: a is not added to"))
          a.shadow(lane) = xs[i] * xs[i] * adjoint;
        const double dx = factor("reverse: factor of x", 0.5) * 2 * a.value * xs[i] * adjoint +
                          (has("reverse: drops y times the seed") ? 0 : seed * ys[i]);
        if (x.is_active() && has("reverse: x is not added to"))
          x.shadow(lane)[i] = dx;
        else if (x.is_active())
          x.shadow(lane)[i] += dx;
        if (y.is_active() && !has("reverse: leaves the adjoint of y"))
          y.shadow(lane)[i] = has("reverse: clears the adjoint of y") ? 0 : adjoint;
      }
      if (has("reverse: a constant without seed"))
        a.shadow(lane) += 0.5;
    }
    if (has("reverse: changes y"))
      y.value[0] += 1;
    if (has("reverse: another result each time"))
      a.shadow(0) += ++calls;
  }
};
ASSAY_RULE(BlendRule, blend);

constexpr auto few_forms = each_in_forms<TestForm{.width = 2}, TestForm{.width = 3, .split = true}>;

RuleReport check_blend() {
  return check_rule(TestOptions{.name = "blend", .variations = few_forms, .oracle = off}, blend, 0.7,
                    std::vector<double>{1.1, 0.4}, std::vector<double>{0.3, 1.6});
}

TEST(RuleFaults, AreNotInARightRule) {
  fault = "";
  const RuleReport report = check_blend();
  for (const RuleFinding &finding : report.findings)
    EXPECT_EQ(judgement(finding), "");
  EXPECT_GT(report.checked(), 100U);
}

TEST(RuleFaults, AreFound) {
  for (const char *each : {"forward: drops the tangent of a",
                           "forward: sign of the tangent of a",
                           "forward: first lane for all",
                           "forward: factor of the tangent of x",
                           "forward: drops the tangent of y",
                           "forward: leaves the shadow of y",
                           "forward: y before the call",
                           "forward: leaves y",
                           "forward: value",
                           "forward: no value at width 1",
                           "augmented: keeps y before the call",
                           "augmented: leaves y",
                           "augmented: value",
                           "reverse: reads x again",
                           "reverse: reads y again",
                           "reverse: first lane only",
                           "reverse: seed of the first lane",
                           "reverse: drops the seed",
                           "reverse: drops the adjoint of y",
                           "reverse: sign of a",
                           "reverse: a is not added to",
                           "reverse: factor of x",
                           "reverse: drops y times the seed",
                           "reverse: x is not added to",
                           "reverse: leaves the adjoint of y",
                           "reverse: clears the adjoint of y",
                           "reverse: a constant without seed",
                           "reverse: changes y",
                           "reverse: another result each time"}) {
    fault = each;
    const RuleReport report = check_blend();
    EXPECT_FALSE(report.ok()) << each;
    for (const RuleFinding &finding : report.findings)
      if (!finding.report.ok())
        EXPECT_TRUE(judgement(finding).ends_with(
            "the engine's own derivative of the function agrees with the oracles: the rule is wrong"))
            << each << ": " << judgement(finding);
  }
  fault = "";
}

} // namespace
