#include "testutils/earlier_calls.hpp"

#include "testutils/difference.hpp"
#include "testutils/numbers.hpp"
#include "testutils/successions.hpp"

#include <vector>

#include <fmt/format.h>

namespace assay::testutils {

using Order = Succession::Order;
using Memory = Succession::Memory;

bool EarlierCalls::can_be_run(const Arguments &inputs) const {
  try {
    static_cast<void>(subject_.evaluate_anyway(inputs));
    return true;
  } catch (const SubjectError &) {
    return false;
  }
}

const Arguments &EarlierCalls::elsewhere() {
  constexpr unsigned behind_all_draws = 0xFF00, further_draws = 0xFE00, most_draws = 16;
  const auto drawn = [&](unsigned number) {
    return random_inputs(subject_.signature(), options_, (sample_ << 16U) + number);
  };
  if (elsewhere_)
    return *elsewhere_;
  elsewhere_ = drawn(behind_all_draws);
  for (unsigned draw = 0; draw < most_draws && !can_be_run(*elsewhere_); ++draw)
    elsewhere_ = draw + 1 < most_draws ? drawn(further_draws + draw) : point_.inputs;
  return *elsewhere_;
}

std::optional<Combination> EarlierCalls::counterpart(const Combination &combination) const {
  return offered_counterpart(subject_, combination, options_.runtime_activity);
}

DerivativeRequest EarlierCalls::request_at(const Combination &combination, const Arguments &inputs) const {
  return random_request(subject_.signature(), combination, inputs,
                        {options_.seed, options_.suite, options_.name, sample_}, options_.output_tangent);
}

DerivativeRequest EarlierCalls::request_elsewhere(const Combination &combination) {
  return request_at(combination, elsewhere());
}

DerivativeRequest EarlierCalls::request_here(const Combination &combination) const {
  return request_at(combination, point_.inputs);
}

unsigned EarlierCalls::calls_in_a_row(const Combination &combination) const {
  constexpr unsigned usual = 24, calls_for_each_earlier_one = 4;
  return is_plainest(subject_.signature(), combination)
             ? std::max(usual, calls_for_each_earlier_one * options_.earlier_calls)
             : usual;
}

bool EarlierCalls::are_seen_in_a_row(unsigned calls) {
  constexpr unsigned calls_of_a_derivative = 16; // Of the function, by rules of eight lanes and for their tapes.
  if (const auto known = seen_in_a_row_.find(calls); known != seen_in_a_row_.end())
    return known->second;
  bool &seen = seen_in_a_row_[calls];
  for (const PrimalOutcome &outcome : subject_.evaluate_in_a_row(point_.inputs, calls * calls_of_a_derivative))
    seen = seen || !is_primal_of(point_, subject_.signature(), outcome);
  return seen;
}

const std::vector<AlikeCall> &EarlierCalls::alike() {
  if (!alike_) {
    alike_ = alike_calls(subject_.signature(), point_.inputs, options_, sample_);
    for (AlikeCall &call : *alike_)
      std::erase_if(call.before, [&](const Arguments &inputs) { return !can_be_run(inputs); });
    std::erase_if(*alike_, [&](const AlikeCall &call) { return !can_be_run(call.inputs); });
  }
  return *alike_;
}

bool EarlierCalls::changes_function(const Arguments &first, const Succession &succession) const {
  const auto both = subject_.evaluate_both(first, point_.inputs, succession);
  return both && !is_primal_of(point_, subject_.signature(), both->second);
}

bool EarlierCalls::is_seen_by_function_after_size(std::size_t size) const {
  const PrimalOutcome after = subject_.evaluate_after_size(size, point_.inputs);
  return !is_primal_of(point_, subject_.signature(), after);
}

static Succession after_errors() {
  Succession succession{Order::one_after_the_other, Memory::other};
  succession.errors = Succession::Errors::reported;
  return succession;
}

bool EarlierCalls::is_seen_by_function_after_errors() const {
  return changes_function(point_.inputs, after_errors());
}

bool EarlierCalls::is_seen_by_function(Memory memory) {
  const auto known = seen_.find(memory);
  if (known != seen_.end())
    return known->second;
  return seen_[memory] = changes_function(elsewhere(), {Order::one_after_the_other, memory});
}

bool EarlierCalls::is_seen_by_function_nearby() {
  if (!seen_nearby_)
    seen_nearby_ = changes_function(nearby_inputs(subject_.signature(), point_.inputs),
                                    {Order::one_after_the_other, Memory::same});
  return *seen_nearby_;
}

bool EarlierCalls::is_seen_by_function(std::size_t alike, Memory memory) {
  const auto known = alike_seen_.find({alike, memory});
  if (known != alike_seen_.end())
    return known->second;
  const AlikeCall &call = this->alike().at(alike);
  Succession succession{Order::one_after_the_other, memory};
  succession.before = call.before;
  return alike_seen_[{alike, memory}] = changes_function(call.inputs, succession);
}

namespace {

/// Both sweeps of the other call stand between those of this one, or the other way round.
std::optional<Finding> check_calls_at_once(const Successions &calls) {
  const DerivativeRequest other = calls.at(calls.earlier.elsewhere());
  std::optional<DerivativeOutcome> alone;
  for (const Order order : {Order::same_order, Order::opposite_order}) {
    const Succession succession{order, Memory::other};
    const auto both = calls.subject.differentiate_both(other, calls.request, succession);
    if (!both)
      return std::nullopt;
    if (!alone)
      alone = calls.subject.differentiate(other);
    const Signature &signature = calls.subject.signature();
    const bool is_first_right = is_same(calls.subject, both->first, *alone);
    if (is_first_right && is_same(calls.subject, both->second, calls.outcome))
      continue;
    std::vector<std::string> names;
    for (const Variable &variable : calls.changed_by(other))
      names.push_back(variable.name);
    Finding finding = calls.failure(
        "two tapes at once", both->second,
        fmt::format("with two augmented primals before their reverse sweeps in {} order the derivative gives other "
                    "numbers{}",
                    order == Order::same_order ? "the same" : "the opposite",
                    names.empty() ? "" : ": each call changes " + named_variables(names)));
    if (!is_first_right)
      finding.worst.clear();
    if (const Difference first = compare_derivatives(signature, both->first, *alone); !is_first_right && first.row)
      finding.worst.push_back(*first.row);
    return finding;
  }
  return std::nullopt;
}

/// Inputs that a cache may take for those of the point. In the same memory the address is no other either, which may be
/// a part of its key.
std::optional<Finding> check_calls_alike(const Successions &calls, const std::string &check, Memory memory) {
  const std::vector<AlikeCall> &alike = calls.earlier.alike();
  // Rules are called once for each lane, so more often than the function.
  const bool may_fill = calls.request.combination.width == 1 && !calls.subject.rules(calls.request.combination).empty();
  for (std::size_t index = 0; index < alike.size(); ++index) {
    const bool fills = !alike[index].before.empty(); // A cache, with what has other addresses as well.
    if (fills && !may_fill)
      continue;
    const DerivativeRequest other = calls.at(alike[index].inputs);
    Succession succession{Order::one_after_the_other, fills ? Memory::other : memory};
    succession.before = alike[index].before;
    if (!calls.shows(other, succession) || calls.earlier.is_seen_by_function(index, succession.memory))
      continue;
    Succession in_other = succession;
    in_other.memory = Memory::other;
    const bool is_by_address = succession.memory == Memory::same && !calls.shows(other, in_other);
    return calls.failure(
        check, calls.after(other, succession),
        fmt::format("after {}{} at {} the derivative gives other numbers than without one: something is kept {}{}",
                    fills ? "calls" : "a call", is_by_address ? " in the same memory" : "", alike[index].where,
                    is_by_address ? "by address that is taken for these inputs" : "that is taken for these inputs",
                    calls.culprit(other, succession)));
  }
  return std::nullopt;
}

/// Inputs that take the same branches, in the same memory: what is kept by address behind a branch that another point
/// does not take.
std::optional<Finding> find_kept_nearby(const Successions &calls, const std::string &check) {
  const DerivativeRequest other = calls.at(nearby_inputs(calls.subject.signature(), calls.request.inputs));
  if (!calls.earlier.can_be_run(other.inputs))
    return std::nullopt;
  const Succession at_same{Order::one_after_the_other, Memory::same};
  if (!calls.shows(other, at_same) || calls.earlier.is_seen_by_function_nearby())
    return std::nullopt;
  const bool is_by_address = !calls.shows(other, {Order::one_after_the_other, Memory::other});
  return calls.failure(check, calls.after(other, at_same),
                       fmt::format("after a call {}at inputs that differ by a small part the derivative gives other "
                                   "numbers than without one: something is kept {}{}",
                                   is_by_address ? "in the same memory " : "",
                                   is_by_address ? "by address" : "that is taken for these inputs",
                                   calls.culprit(other, at_same)));
}

/// A rule that asks errno or a flag for what happened in its own code has to clear it before.
std::optional<Finding> check_errors_of_others(const Successions &calls) {
  const Succession succession = after_errors();
  if (calls.subject.rules(calls.request.combination).empty() || !calls.shows(calls.request, succession) ||
      calls.earlier.is_seen_by_function_after_errors())
    return std::nullopt;
  return calls.failure(
      "errors of earlier code", calls.after(calls.request, succession),
      "where errno (ERANGE) and the flags of floating-point exceptions tell of errors in code that ran "
      "before the call, the derivative gives other numbers: something reads them without clearing "
      "them first");
}

} // namespace

static constexpr std::string_view check_in_a_row = "calls in a row";

Finding check_call_nearby(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request,
                          const DerivativeOutcome &outcome) {
  const std::string check(check_in_a_row);
  if (std::optional<Finding> finding = find_kept_nearby({subject, earlier, request, outcome}, check))
    return *std::move(finding);
  return {Verdict::pass, check, {}, {}, 0};
}

Finding check_earlier_calls(Subject &subject, EarlierCalls &earlier, const DerivativeRequest &request,
                            const DerivativeOutcome &outcome) {
  const std::string check(check_in_a_row);
  const Successions calls{subject, earlier, request, outcome};
  const DerivativeRequest other = calls.at(calls.earlier.elsewhere());
  const Succession at_same{Order::one_after_the_other, Memory::same},
      at_other{Order::one_after_the_other, Memory::other};
  const bool may_differ = earlier.is_seen_by_function(Memory::other),
             may_differ_at_same = may_differ || earlier.is_seen_by_function(Memory::same);
  if (!may_differ && calls.shows(other, at_other))
    return calls.failure(check, calls.after(other, at_other),
                         fmt::format("after a call at other inputs the derivative gives other numbers than without "
                                     "one: something is kept from call to call{}",
                                     calls.culprit(other, at_other)));
  if (!may_differ_at_same && calls.shows(other, at_same))
    return calls.failure(check, calls.after(other, at_same),
                         fmt::format("after a call with other numbers in the same memory the derivative gives other "
                                     "numbers than without one: something is kept by address{}",
                                     calls.culprit(other, at_same)));
  if (!may_differ_at_same)
    if (std::optional<Finding> finding = find_kept_nearby(calls, check))
      return *std::move(finding);
  if (!may_differ && calls.shows(request, at_other))
    return calls.failure(check, calls.after(request, at_other),
                         fmt::format("after a call with the same numbers in other memory, which has been reused since, "
                                     "the derivative gives other numbers than without one{}",
                                     calls.culprit(request, at_other)));
  if (!may_differ)
    if (std::optional<Finding> finding =
            check_calls_alike(calls, check, may_differ_at_same ? Memory::other : Memory::same))
      return *std::move(finding);
  if (!may_differ && request.combination.form == Form::split)
    if (std::optional<Finding> finding = check_calls_at_once(calls))
      return *std::move(finding);
  if (!may_differ)
    for (const auto check_more :
         {check_both_modes, check_nested_calls, check_calls_of_other_sizes, check_errors_of_others})
      if (std::optional<Finding> finding = check_more(calls))
        return *std::move(finding);
  if (std::optional<Finding> finding = check_many_calls(calls))
    return *std::move(finding);
  return {Verdict::pass, check, {}, {}, 0};
}

} // namespace assay::testutils
