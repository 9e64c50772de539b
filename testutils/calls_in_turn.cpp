// State that a rule keeps for the next call of another mode, or counts from call to call.

#include "testutils/successions.hpp"

#include "testutils/difference.hpp"
#include "testutils/requests.hpp"

#include <fmt/format.h>

namespace assay::testutils {

namespace {

using Order = Succession::Order;

Succession with_order(Order order) {
  return {order, Succession::Memory::other};
}

/// Between the sweeps nothing can be put back that the first of them may have left.
std::string culprit(const Successions &calls, const DerivativeRequest &first, const Succession &succession) {
  if (succession.order == Order::one_after_the_other)
    return calls.culprit(first, succession);
  std::vector<std::string> names;
  for (const Variable &variable : calls.changed_by(first))
    names.push_back(variable.name);
  return names.empty() ? "" : ": such a call changes " + named_variables(names);
}

std::optional<Finding> with_first(const Successions &calls, const DerivativeRequest &first,
                                  const Succession &succession, const std::string &when) {
  const DerivativeOutcome seen = calls.after(first, succession);
  if (is_same(calls.subject, seen, calls.outcome))
    return std::nullopt;
  return calls.failure("calls in both modes", seen,
                       fmt::format("{} the derivative gives other numbers than alone: one mode reads state that the "
                                   "other keeps{}",
                                   when, culprit(calls, first, succession)));
}

std::optional<Finding> check_calls_of_forward_mode(const Successions &calls) {
  const Combination &combination = calls.request.combination;
  const std::optional<Combination> forward = calls.earlier.counterpart(forward_of(combination));
  if (!forward)
    return std::nullopt;
  const DerivativeRequest elsewhere = calls.earlier.request_elsewhere(*forward);
  if (combination.form == Form::split)
    return with_first(calls, elsewhere, with_order(Order::between_sweeps),
                      "with a call in forward mode at other inputs between its sweeps");
  if (auto finding = with_first(calls, elsewhere, with_order(Order::one_after_the_other),
                                "after a call in forward mode at other inputs"))
    return finding;
  const DerivativeRequest here = calls.earlier.request_here(*forward);
  const DerivativeOutcome alone = calls.subject.differentiate(here);
  return with_first({calls.subject, calls.earlier, here, alone}, calls.at(calls.earlier.elsewhere()),
                    with_order(Order::one_after_the_other),
                    "in forward mode, after a call in reverse mode at other inputs,");
}

} // namespace

std::optional<Finding> check_both_modes(const Successions &calls) {
  const Combination &combination = calls.request.combination;
  if (combination.mode != Mode::reverse || combination.width != 1 || calls.subject.rules(combination).empty())
    return std::nullopt;
  try {
    return check_calls_of_forward_mode(calls);
  } catch (const SubjectError &) { // Forward mode fails on its own account, in its own combinations.
    return std::nullopt;
  }
}

std::optional<Finding> check_nested_calls(const Successions &calls) {
  const Combination &combination = calls.request.combination;
  if (combination.form != Form::split || !calls.earlier.is_first_point() || calls.subject.rules(combination).empty())
    return std::nullopt;
  const DerivativeRequest other = calls.at(calls.earlier.elsewhere());
  const Succession succession = with_order(Order::nested);
  const DerivativeOutcome seen = calls.after(other, succession);
  if (is_same(calls.subject, seen, calls.outcome))
    return std::nullopt;
  return calls.failure(
      "calls within calls", seen,
      fmt::format("with calls at other inputs between its sweeps, each between those of the one before, "
                  "the derivative gives other numbers than alone{}",
                  culprit(calls, other, succession)));
}

std::optional<Finding> check_calls_of_other_sizes(const Successions &calls) {
  const Combination &combination = calls.request.combination;
  if (combination.width != 1 || !calls.earlier.is_first_point() || calls.subject.rules(combination).empty())
    return std::nullopt;
  for (std::size_t size = 0; size < calls.subject.other_sizes(); ++size) {
    const DerivativeOutcome seen = calls.subject.differentiate_after_size(size, calls.request);
    if (is_same(calls.subject, seen, calls.outcome) || calls.earlier.is_seen_by_function_after_size(size))
      continue;
    std::vector<std::string> names;
    for (const Variable &variable : calls.changed_by(calls.request))
      names.push_back(variable.name);
    return calls.failure("calls in a row", seen,
                         fmt::format("after a call with {} the derivative gives other numbers than without one: "
                                     "something is kept that belongs to that call{}",
                                     calls.subject.other_size(size),
                                     names.empty() ? "" : ", through " + named_variables(names)));
  }
  return std::nullopt;
}

std::optional<Finding> check_many_calls(const Successions &calls) {
  if (!calls.earlier.is_first_point() || calls.subject.rules(calls.request.combination).empty())
    return std::nullopt;
  const unsigned number_of_calls = calls.earlier.calls_in_a_row(calls.request.combination);
  const auto first_other = [&](const std::string &put_back) {
    std::vector<DerivativeOutcome> outcomes =
        calls.subject.differentiate_in_a_row(calls.request, number_of_calls, put_back);
    std::size_t number = 0;
    while (number < outcomes.size() && is_same(calls.subject, outcomes[number], calls.outcome))
      ++number;
    return number < outcomes.size() ? std::optional(std::pair(number, std::move(outcomes[number]))) : std::nullopt;
  };
  const auto other = first_other("");
  if (!other || calls.earlier.are_seen_in_a_row(number_of_calls))
    return std::nullopt;
  std::string culprit;
  std::vector<std::string> names;
  for (const Variable &variable : calls.changed_by(calls.request)) {
    if (culprit.empty() && !first_other(variable.symbol))
      culprit = ", through the variable " + variable.name;
    names.push_back(variable.name);
  }
  if (culprit.empty() && !names.empty())
    culprit = ", through " + named_variables(names);
  return calls.failure(
      "calls in a row", other->second,
      fmt::format("call {} with the same numbers gives other ones than the first: something is kept or "
                  "counted from call to call{}",
                  other->first + 1, culprit));
}

} // namespace assay::testutils
