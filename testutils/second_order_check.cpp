// A rule whose derivative is right may still have a wrong one itself: it reads a copy of its argument that carries no
// derivative, or somebody registered a wrong rule for it. So the derivative, taken for a function of its own, is
// differentiated in forward mode and compared with finite differences of it: at one point, for all that is active at
// once. What finite differences cannot tell is no finding, and neither is a rule that cannot be differentiated.

#include "testutils/finding.hpp"
#include "testutils/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

static bool is_active(Activity activity) {
  return activity == Activity::active || activity == Activity::duplicated;
}

bool is_plainest(const Signature &signature, const Combination &combination) {
  if (combination.width != 1 || combination.form != Form::combined ||
      combination.runtime_activity != RuntimeActivity::off)
    return false;
  if (signature.result_differentiable() && !is_active(combination.result))
    return false;
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    if (signature.parameters[index].differentiable() && !is_active(combination.arguments[index]))
      return false;
  return true;
}

namespace {

/// Forward rules may be used by the outer derivative in either mode.
bool uses_rules(const Subject &subject, Combination combination) {
  const bool forward = combination.mode == Mode::forward;
  if (!subject.rules(combination).empty())
    return true;
  combination.mode = Mode::forward;
  return !forward && !subject.rules(combination).empty();
}

/// What the derivative is called with.
Arguments inputs_of(const DerivativeRequest &request) {
  Arguments inputs = request.inputs;
  for (std::size_t index = 0; index < request.inputs.size(); ++index) {
    const Activity activity = request.combination.arguments[index];
    if (activity == Activity::active)
      inputs.emplace_back(1, 0.0);
    else if (activity != Activity::constant)
      inputs.push_back(request.shadows[0][index]);
  }
  if (!request.result_seeds[0].empty())
    inputs.push_back(request.result_seeds[0]);
  return inputs;
}

Combination forward_of_all(const Signature &signature) {
  Combination combination{Mode::forward, Activity::constant, {}};
  if (signature.result_differentiable())
    combination.result = Activity::duplicated_no_need;
  for (const Parameter &parameter : signature.parameters)
    combination.arguments.push_back(parameter.differentiable() ? Activity::duplicated : Activity::constant);
  return combination;
}

CheckOptions options_for(const CheckOptions &options) {
  CheckOptions second;
  second.seed = options.seed;
  second.suite = options.suite + " second order";
  second.name = options.name;
  second.finite_differences = options.finite_differences;
  second.oracle = OracleChoice::finite_differences;
  second.tolerance.relative = options.tolerance.relative;
  second.tolerance.absolute = options.tolerance.absolute;
  return second;
}

/// Whether the function has no derivative but by a rule, as one that remembers results: differentiating the rule's own
/// code must fail as well then.
bool needs_a_rule(Subject &subject, const DerivativeRequest &request, const CheckOptions &options, unsigned sample) {
  const std::vector<Rule> rules = subject.rules(request.combination);
  for (std::size_t index = 0; index < rules.size(); ++index)
    try {
      const std::unique_ptr<Subject> without =
          rules[index].can_be_left_out ? subject.without_rule(request.combination, index) : nullptr;
      if (!without)
        continue;
      Stage stage(*without, request.inputs, options, sample);
      if (outcome_of(run_checks(stage, request.combination).verdict) == Outcome::failed)
        return true;
    } catch (const SubjectError &) { // There is no derivative without it.
    }
  return false;
}

/// The point where every number that a derivative is asked by is larger, or smaller, by a small part of itself.
Arguments beside(const Arguments &inputs, const Signature &signature, std::size_t count, double part) {
  Arguments moved = inputs;
  for (std::size_t index = 0; index < count; ++index)
    if (signature.parameters[index].differentiable())
      for (double &value : moved[index])
        value += part * (value == 0 ? 1 : std::abs(value));
  return moved;
}

/// Whether the derivative has a right one on either side: a rule that cuts off what is tiny, as many do, has a piece of
/// its own there, which is flat.
bool is_right_on_both_sides(Subject &derivative, const Arguments &inputs, std::size_t count,
                            const CheckOptions &options, unsigned sample) {
  constexpr double part = 1.0 / 128;
  return std::ranges::all_of(std::array{-part, part}, [&](double side) {
    Stage stage(derivative, beside(inputs, derivative.signature(), count, side), options, sample);
    const Record record = run_brief_checks(stage, forward_of_all(derivative.signature()));
    return outcome_of(record.verdict) == Outcome::passed && record.compared != 0;
  });
}

} // namespace

Finding check_second_order(Subject &subject, const DerivativeRequest &request, const CheckOptions &options,
                           unsigned sample, std::string &note) {
  const std::string modes = request.combination.mode == Mode::forward ? "forward over forward" : "forward over reverse";
  Finding finding{Verdict::pass, fmt::format("{}, {}", second_order_check, modes), {}, {}, 0};
  if (!is_plainest(subject.signature(), request.combination) || !uses_rules(subject, request.combination))
    return finding;
  Record record;
  bool is_of_point_alone = false;
  try {
    Subject *derivative = subject.derivative_as_function(request.combination);
    if (!derivative)
      return finding;
    const CheckOptions second = options_for(options);
    const Arguments inputs = inputs_of(request);
    Stage stage(*derivative, inputs, second, sample);
    record = run_brief_checks(stage, forward_of_all(derivative->signature()));
    is_of_point_alone = record.verdict == Verdict::wrong_derivative && !record.worst.empty() &&
                        std::isfinite(record.worst.front().ad) &&
                        is_right_on_both_sides(*derivative, inputs, request.inputs.size(), second, sample);
  } catch (const SubjectError &error) {
    record.verdict = Verdict::crash;
    record.detail = error.what();
  }
  if (record.verdict == Verdict::crash)
    note = fmt::format("there is no second derivative, {}: {}", modes, record.detail);
  finding.compared = record.compared;
  if (record.verdict != Verdict::wrong_derivative || record.worst.empty())
    return finding;
  if (needs_a_rule(subject, request, options, sample)) {
    note = fmt::format("the second derivative, {}, is not that of the first: the function has no derivative without "
                       "its rules, and neither have they",
                       modes);
    return finding;
  }
  const Comparison &row = record.worst.front();
  if (is_of_point_alone) {
    note =
        fmt::format("the second derivative, {}, of {} is {:.12g} at this point alone, where finite differences of the "
                    "first give {:.12g}: a branch of the rule's, on either side of which it is right",
                    modes, row.path, row.ad, row.expected);
    return finding;
  }
  finding.verdict = Verdict::wrong_derivative;
  finding.detail = fmt::format("the first derivative is right, and its own derivative is not: that of {} is {:.12g}, "
                               "finite differences of the first derivative give {:.12g} (tolerance {:.1e})",
                               row.path, row.ad, row.expected, row.tolerance);
  return finding;
}

} // namespace assay::testutils
