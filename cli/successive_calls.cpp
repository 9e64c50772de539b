#include "cli/successive_calls.hpp"

#include "cli/call_limits.hpp"
#include "cli/coroutine.hpp"
#include "cli/primal_call.hpp"
#include "core/jit/heap_watch.hpp"
#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <iterator>

namespace assay::cli {

namespace {

using testutils::DerivativeRequest;
using testutils::Succession;

void put_back_between(const jit::Program &program, jit::Entry entry, const Succession &succession) {
  if (!succession.put_back.empty())
    program.put_back(entry, succession.put_back);
}

testutils::Watched watched_in(const Succession &succession) {
  return succession.errors == Succession::Errors::reported ? testutils::Watched::arithmetic_after_errors
                                                           : testutils::Watched::arithmetic;
}

/// After damage the heap may be destroyed: no further call is made then.
bool is_damaged(const testutils::DerivativeOutcome &outcome) {
  return !outcome.violations.empty();
}

BothDerivatives one_after_the_other(DerivativeCall &first, DerivativeCall &second, const jit::Program &program,
                                    jit::Entry entry, const Succession &succession) {
  BothDerivatives both;
  first.run();
  both.first = first.outcome();
  if (is_damaged(both.first))
    return {both.first, both.first};
  first.poison();
  put_back_between(program, entry, succession);
  second.run(watched_in(succession));
  both.second = second.outcome();
  return both;
}

/// The calls before the first one. The outcome of one that damages memory.
std::optional<testutils::DerivativeOutcome> run_before(DerivativeCall &call, const DerivativeRequest &first,
                                                       const Succession &succession) {
  DerivativeRequest other = first;
  for (const testutils::Arguments &inputs : succession.before) {
    other.inputs = inputs;
    call.refill(other);
    call.run();
    if (testutils::DerivativeOutcome outcome = call.outcome(); is_damaged(outcome))
      return outcome;
  }
  call.refill(first);
  return std::nullopt;
}

/// Each on a stack of its own, which it leaves between its sweeps.
BothDerivatives at_once(DerivativeCall &first, DerivativeCall &second, const Succession &succession) {
  const jit::HeapWatch heap; // What one call allocates, the other may free.
  Coroutine one([&] { first.run_alone(); }), other([&] { second.run_alone(); });
  first.primal_done = [&] { one.leave(); };
  second.primal_done = [&] { other.leave(); };
  const LimitedCall limited;
  one.resume();
  other.resume();
  if (succession.order == Succession::Order::same_order) {
    one.resume();
    other.resume();
  } else {
    other.resume();
    one.resume();
  }
  return {first.outcome(), second.outcome()};
}

/// The first call stands between the sweeps of the second one, which is split.
BothDerivatives between_sweeps(DerivativeCall &first, DerivativeCall &second) {
  const jit::HeapWatch heap;
  second.primal_done = [&] { first.run_alone(); };
  const LimitedCall limited;
  second.run_alone();
  return {first.outcome(), second.outcome()};
}

/// As in a function that calls itself.
BothDerivatives nested(const std::function<void(std::deque<DerivativeCall> &)> &add_first, DerivativeCall &second) {
  constexpr std::size_t depth = 12;
  std::deque<DerivativeCall> first;
  while (first.size() < depth)
    add_first(first);
  const jit::HeapWatch heap;
  for (std::size_t level = 0; level + 1 < depth; ++level)
    first[level].primal_done = [&inner = first[level + 1]] { inner.run_alone(); };
  second.primal_done = [&] { first.front().run_alone(); };
  const LimitedCall limited;
  second.run_alone();
  return {first.front().outcome(), second.outcome()};
}

std::string element_of(const jit::Program &program, const jit::StateDifference &difference) {
  const std::string name = program.name_of_variable(difference.variable);
  return difference.elements == 1 ? name : fmt::format("{}, element {}", name, difference.element);
}

std::string in_words(const jit::Program &program, const jit::StateDifference &difference) {
  const std::string variable = element_of(program, difference);
  if (difference.expected == difference.before)
    return fmt::format("changes the variable {}, which the function leaves alone: it holds {:.12g} after the call, "
                       "{:.12g} before",
                       variable, difference.seen, difference.before);
  if (difference.seen == difference.before)
    return fmt::format("does not write the variable {}, which still holds {:.12g}: the function leaves {:.12g} there",
                       variable, difference.seen, difference.expected);
  return fmt::format("leaves {:.12g} in the variable {}, where the function leaves {:.12g}", difference.seen, variable,
                     difference.expected);
}

/// Of a rule, that memory holds in the end what it held does not tell that nothing was written. Between the sweeps of
/// the split form it is overwritten, and a kernel's threads share it.
bool watches_writes(const CheckRequest &request, const DerivativeRequest &derivative) {
  return request.uses_rules && !request.function.launch && derivative.combination.form != testutils::Form::split;
}

std::vector<std::string> written_only_by_second(const CallFrame &first, const CallFrame &second) {
  const std::vector<std::size_t> usual = first.written();
  std::vector<std::string> names;
  for (const std::size_t parameter : second.written())
    if (std::ranges::find(usual, parameter) == usual.end())
      names.push_back(second.name(parameter));
  return names;
}

} // namespace

BothPrimals call_function_twice(const CheckRequest &request, const jit::Program &program,
                                const testutils::Arguments &first, const testutils::Arguments &second,
                                const Succession &succession) {
  PrimalCall call(request, program, program.function(), first), elsewhere(request, program, program.function(), second);
  program.reset();
  BothPrimals both;
  for (const testutils::Arguments &inputs : succession.before) {
    call.refill(inputs);
    call.run();
  }
  call.refill(first);
  call.run();
  both.first = call.outcome();
  call.poison();
  put_back_between(program, program.function(), succession);
  PrimalCall &next = succession.memory == Succession::Memory::same ? call : elsewhere;
  next.refill(second);
  next.run(watched_in(succession));
  both.second = next.outcome();
  return both;
}

std::vector<testutils::PrimalOutcome> call_function_in_a_row(const CheckRequest &request, const jit::Program &program,
                                                             const testutils::Arguments &inputs, unsigned calls) {
  PrimalCall call(request, program, program.function(), inputs);
  program.reset();
  std::vector<testutils::PrimalOutcome> outcomes;
  for (unsigned number = 0; number < calls; ++number) {
    call.refill(inputs);
    call.run();
    outcomes.push_back(call.outcome());
  }
  return outcomes;
}

std::vector<testutils::DerivativeOutcome> call_derivative_in_a_row(const CheckRequest &request,
                                                                   const jit::Program &program, jit::Entry entry,
                                                                   const DerivativeRequest &derivative, unsigned calls,
                                                                   const std::string &put_back) {
  DerivativeCall call(request, program, entry, derivative);
  call.between = DerivativeCall::Between::variables_are_kept;
  program.reset();
  std::vector<testutils::DerivativeOutcome> outcomes;
  for (unsigned number = 0; number < calls; ++number) {
    call.refill(derivative);
    if (!put_back.empty())
      program.put_back(entry, put_back);
    call.run();
    outcomes.push_back(call.outcome());
    if (is_damaged(outcomes.back()))
      break;
  }
  return outcomes;
}

BothDerivatives call_derivative_twice(const CheckRequest &request, const jit::Program &program, Entries entries,
                                      const DerivativeRequest &first, const DerivativeRequest &second,
                                      const Succession &succession) {
  const jit::Entry entry = entries.second;
  DerivativeCall call(request, program, entries.first, first), elsewhere(request, program, entry, second);
  call.between = elsewhere.between = DerivativeCall::Between::variables_are_kept;
  program.reset();
  if (succession.order == Succession::Order::between_sweeps)
    return between_sweeps(call, elsewhere);
  if (succession.order == Succession::Order::nested)
    return nested(
        [&](std::deque<DerivativeCall> &calls) {
          calls.emplace_back(request, program, entries.first, first).between =
              DerivativeCall::Between::variables_are_kept;
        },
        elsewhere);
  if (succession.order != Succession::Order::one_after_the_other)
    return at_once(call, elsewhere, succession);
  if (!succession.before.empty())
    if (const auto damaged = run_before(call, first, succession))
      return {*damaged, *damaged};
  if (succession.memory == Succession::Memory::other)
    return one_after_the_other(call, elsewhere, program, entry, succession);
  BothDerivatives both;
  call.run();
  both.first = call.outcome();
  if (is_damaged(both.first))
    return {both.first, both.first};
  put_back_between(program, entry, succession);
  call.refill(second);
  call.run();
  both.second = call.outcome();
  return both;
}

testutils::SideEffects side_effects_of(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const DerivativeRequest &derivative) {
  PrimalCall function(request, program, program.function(), derivative.inputs);
  DerivativeCall call(request, program, entry, derivative);
  testutils::SideEffects effects;
  call.primal_done = [&] {
    for (const jit::StateDifference &difference : program.state_differences(entry))
      effects.variables.push_back(in_words(program, difference));
  };
  program.reset();
  if (watches_writes(request, derivative)) {
    function.watch_writes();
    call.watch_writes();
  }
  function.run(testutils::Watched::everything);
  call.run(testutils::Watched::everything);
  for (const std::string &name : written_only_by_second(function.frame(), call.frame()))
    effects.variables.push_back(
        fmt::format("writes to {}, which the function only reads: other threads may read it at the same time", name));
  effects.environment = testutils::beyond(call.environment().changes, function.environment().changes);
  effects.remarks = testutils::beyond(call.environment().remarks, function.environment().remarks);
  return effects;
}

} // namespace assay::cli
