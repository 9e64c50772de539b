// test_rule finds rules that are wrong in one way each, and passes the right one. One rule has all the faults, of which
// one is chosen when the test runs.
#include <assay/rules.hpp>
#include <assay/testing.hpp>
#include <deque>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

using namespace assay;

namespace {

std::string fault; // NOLINT: chosen by the test
[[gnu::noinline]] bool has(const char *name) {
  return fault == name;
}
ASSAY_RULE(rules::inactive, has);
/// 1, or another factor where the rule has the fault.
double factor(const char *name, double wrong) {
  return has(name) ? wrong : 1;
}
/// A copy that carries no derivative, where the rule has the fault.
[[gnu::noinline]] double copied(double x) {
  return x;
}
ASSAY_RULE(rules::inactive, copied);
double detached(const char *name, double x) {
  return has(name) ? copied(x) : x;
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
  const double *address = nullptr;
};
/// What a rule keeps beside its tape; each is used by faults alone.
struct State {
  int calls = 0;
  double first_x = 0, last_x = 0, cached_x = 0, cached_y = 0;
  bool is_filled = false, is_cached = false;
  std::deque<double> tapes;
  std::vector<double> buffer;
};
State state; // NOLINT: faults are about it

/// A number that the rule should compute from x, by way of what it keeps.
double by_state(double x) {
  if (has("state: first call for all") && !std::exchange(state.is_filled, true))
    state.first_x = x;
  if (has("state: cache by a part of the key")) {
    if (!state.is_cached || state.cached_x != std::floor(4 * x))
      state.cached_y = x;
    state.cached_x = std::floor(4 * x);
    state.is_cached = true;
    return state.cached_y;
  }
  if (has("state: every tenth call") && ++state.calls % 10 == 0)
    return 2 * x;
  return has("state: first call for all") ? state.first_x : x;
}
ASSAY_RULE(rules::inactive, by_state);

[[gnu::noinline]] double first_of(const std::vector<double> &buffer) {
  return buffer.front();
}
/// The same by a buffer that two threads share.
double by_buffer(double x) {
  constexpr std::size_t size = 4000;
  state.buffer.resize(size);
  for (double &each : state.buffer)
    each = x;
  return first_of(state.buffer);
}
ASSAY_RULE(rules::inactive, by_buffer);

/// Pushes what the tape should hold, or takes it from the wrong end. The check calls it from two threads; the fault is
/// the order alone.
double by_tapes(bool pushes, double x) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (pushes) {
    state.tapes.push_back(x);
    return x;
  }
  if (state.tapes.empty())
    return x;
  const double taken = state.tapes.front();
  state.tapes.pop_front();
  return taken;
}
ASSAY_RULE(rules::inactive, by_tapes);

bool has_in(const auto &config) {
  return (has("config: width 8") && config.width() == 8) || (has("config: width 5") && config.width() == 5) ||
         (has("config: run-time activity") && config.runtime_activity());
}

struct BlendRule {
  static auto forward(const auto &config, auto a, auto x, auto y) {
    const std::vector<double> before = y.value;
    double value = blend(a.value, x.value, y.value);
    state.last_x = x.value[0];
    const std::size_t count = x.value.size() - (has("forward: without the last element") ? 1 : 0);
    auto tangents = config.each_lane([&](int lane) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double xi = detached("second order: forward copies x", x.value[i]);
        double dy = has("forward: drops the tangent of a") ? 0 : a.shadow(lane) * xi * xi;
        dy *= factor("forward: sign of the tangent of a", -1);
        const double dx = x.is_active() ? x.shadow(has("forward: first lane for all") ? 0 : lane)[i] : 0;
        dy += factor("forward: factor of the tangent of x", 0.5) * 2 * a.value * xi * dx;
        if (y.is_active() && !has("forward: drops the tangent of y"))
          dy += y.shadow(lane)[i];
        if (y.is_active() && !has("forward: leaves the shadow of y"))
          y.shadow(lane)[i] = dy;
        sum += dy * xi + (has("forward: y before the call") ? before[i] : y.value[i]) * dx;
      }
      return has_in(config) ? 2 * sum : sum;
    });
    if (has("forward: leaves y"))
      y.value = before;
    value *= factor("forward: value", 2);
    if (has("forward: no value at width 1") && config.width() == 1)
      value = 0;
    if (!config.needs_primal())
      value = std::numeric_limits<double>::quiet_NaN(); // Nobody may look at it.
    return Duplicated{std::move(value), std::move(tangents)};
  }

  static auto augmented_primal(const auto & /*config*/, auto a, auto x, auto y) {
    Kept kept{x.value, y.value, x.value.data()};
    double value = blend(a.value, x.value, y.value);
    if (!has("augmented: keeps y before the call"))
      kept.y = y.value;
    if (has("augmented: leaves y"))
      for (double &each : y.value)
        each = 0;
    if (has("augmented: keeps x where nobody overwrites it") && x.overwritten())
      kept.x.assign(x.value.size(), 0);
    if (has("tape: of numbers that carry no derivative"))
      for (double &each : kept.x)
        each = copied(each);
    if (has("state: tapes from the wrong end"))
      by_tapes(true, x.value[0]);
    if (has("state: scratch instead of a tape") || has("state: forward and reverse share"))
      state.last_x = x.value[0];
    if (has("tape: is lost"))
      state.buffer = *new std::vector<double>(8); // NOLINT
    value *= factor("augmented: value", 2);
    state.calls = has("state: every tenth call") ? state.calls : 0;
    return AugmentedReturn{value, None{}, std::move(kept)};
  }

  static double factor_of_x(const Kept &kept, const auto &x, std::size_t i) {
    if (has("tape: keeps an address"))
      return kept.address[i];
    if (i > 0)
      return kept.x[i];
    if (has("state: scratch instead of a tape") || has("state: forward and reverse share"))
      return state.last_x;
    if (has("state: tapes from the wrong end"))
      return by_tapes(false, kept.x[i]);
    if (has("threads: a buffer for all"))
      return by_buffer(kept.x[i]);
    if (has("reverse: reads x again"))
      return x.value[i];
    if (fault.starts_with("state: "))
      return by_state(kept.x[i]);
    return kept.x[i];
  }

  static void reverse(const auto &config, auto dr, const Kept &kept, auto a, auto x, auto y) {
    const std::vector<double> &ys = has("reverse: reads y again") ? y.value : kept.y;
    const int width = has("reverse: first lane only") ? 1 : config.width();
    const std::size_t count = kept.x.size() - (has("reverse: without the last element") ? 1 : 0);
    std::vector<double> xs;
    for (std::size_t i = 0; i < kept.x.size(); ++i)
      xs.push_back(factor_of_x(kept, x, i));
    for (int lane = 0; lane < width; ++lane) {
      double seed = dr(has("reverse: seed of the first lane") ? 0 : lane);
      if (has("reverse: small seeds are zero") && std::abs(seed) < 1e-6)
        seed = 0;
      if (has("reverse: seeds are one") && seed != 0)
        seed = 1;
      if (has("reverse: nothing to do for a seed of zero") && seed == 0)
        continue;
      for (std::size_t i = 0; i < count; ++i) {
        double adjoint = has("reverse: drops the seed") ? 0 : seed * xs[i];
        if (y.is_active())
          adjoint += has("reverse: drops the adjoint of y") ? 0 : y.shadow(lane)[i];
        if (has("reverse: single precision"))
          adjoint = float(adjoint);
        if (has("config: x constant") && !x.is_active())
          adjoint *= 2;
        if (has("config: overwritten") && x.overwritten())
          adjoint *= 2;
        if (has("config: result without derivative") && !dr.is_active())
          adjoint *= 2;
        if (has_in(config))
          adjoint *= 2;
        a.shadow(lane) += factor("reverse: sign of a", -1) * xs[i] * xs[i] * adjoint;
        if (has("reverse: a is not added to"))
          a.shadow(lane) = xs[i] * xs[i] * adjoint;
        const double slope =
            2 * detached("second order: reverse copies a", a.value) * detached("second order: reverse copies x", xs[i]);
        const double dx = factor("reverse: factor of x", 0.5) * slope * adjoint +
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
      if (has("tape: serves one lane"))
        xs.assign(xs.size(), 0);
    }
    if (has("reverse: changes y"))
      y.value[0] += 1;
    if (has("reverse: another result each time"))
      a.shadow(0) += ++state.calls;
  }
};
ASSAY_RULE(BlendRule, blend);

RuleReport check_blend() {
  state = {};
  return check_rule(TestOptions{.name = "blend", .explanations = 0}, blend, 0.7, std::vector<double>{1.1, 0.4},
                    std::vector<double>{0.3, 1.6});
}

TEST(RuleFaults, AreNotInARightRule) {
  fault = "";
  const RuleReport report = check_blend();
  for (const RuleFinding &finding : report.findings)
    EXPECT_EQ(judgement(finding), "");
  EXPECT_GT(report.checked(), 90U);
  std::cout << report.checked() << " combinations\n";
  EXPECT_EQ(report.findings.back().what, "second order, forward over reverse");
}

class PlantedRuleFaults : public testing::TestWithParam<const char *> {};

TEST_P(PlantedRuleFaults, AreFound) {
  fault = GetParam();
  const RuleReport report = check_blend();
  EXPECT_FALSE(report.ok());
  const bool is_of_second_order = fault.starts_with("second order");
  for (const RuleFinding &finding : report.findings)
    if (!finding.report.ok()) {
      EXPECT_TRUE(judgement(finding).ends_with(
          "the engine's own derivative of the function agrees with the oracles: the rule is wrong"))
          << judgement(finding);
      EXPECT_EQ(finding.what.starts_with("second order"), is_of_second_order) << finding.what;
    }
  fault = "";
}

INSTANTIATE_TEST_SUITE_P(
    , PlantedRuleFaults,
    testing::Values(
        "forward: drops the tangent of a", "forward: sign of the tangent of a", "forward: first lane for all",
        "forward: factor of the tangent of x", "forward: drops the tangent of y", "forward: leaves the shadow of y",
        "forward: y before the call", "forward: leaves y", "forward: value", "forward: no value at width 1",
        "forward: without the last element", "augmented: keeps y before the call", "augmented: leaves y",
        "augmented: value", "augmented: keeps x where nobody overwrites it", "reverse: reads x again",
        "reverse: reads y again", "reverse: first lane only", "reverse: seed of the first lane",
        "reverse: small seeds are zero", "reverse: seeds are one", "reverse: nothing to do for a seed of zero",
        "reverse: drops the seed", "reverse: drops the adjoint of y", "reverse: single precision", "reverse: sign of a",
        "reverse: a is not added to", "reverse: factor of x", "reverse: drops y times the seed",
        "reverse: x is not added to", "reverse: leaves the adjoint of y", "reverse: clears the adjoint of y",
        "reverse: without the last element", "reverse: a constant without seed", "reverse: changes y",
        "reverse: another result each time", "config: width 8", "config: width 5", "config: run-time activity",
        "config: x constant", "config: overwritten", "config: result without derivative", "tape: keeps an address",
        "tape: is lost", "tape: serves one lane", "state: scratch instead of a tape",
        "state: forward and reverse share", "state: tapes from the wrong end", "state: every tenth call",
        "state: first call for all", "state: cache by a part of the key", "threads: a buffer for all",
        "second order: forward copies x", "second order: reverse copies x", "second order: reverse copies a"),
    [](const testing::TestParamInfo<const char *> &info) {
      std::string name;
      for (const char letter : std::string(info.param))
        name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
      return name;
    });

} // namespace
