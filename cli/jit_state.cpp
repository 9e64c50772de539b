// What a JIT-compiled derivative does beside its arguments: variables, surroundings, and the rules that it consists of.

#include "cli/interleaved_calls.hpp"
#include "cli/jit_subject.hpp"
#include "cli/new_thread_call.hpp"
#include "cli/primal_call.hpp"
#include "cli/successive_calls.hpp"
#include "testutils/requests.hpp"
#include "testutils/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

/// Fixed numbers move as well: a variable that depends on them is no table.
testutils::Arguments moved(const testutils::Signature &signature, testutils::Arguments inputs) {
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const testutils::Parameter &parameter = signature.parameters[index];
    if (parameter.element != testutils::ElementType::integer && !parameter.fixed.empty())
      for (double &value : inputs[index])
        value += 0x1p-6 * std::max(1.0, std::abs(value));
  }
  return inputs;
}

} // namespace

void JitSubject::find_tables(const testutils::CheckOptions &options) {
  program_.find_tables([&](std::size_t point) {
    const testutils::Arguments inputs =
        testutils::random_inputs(signature_, options, static_cast<unsigned>(point) << 16U);
    if (before_run)
      before_run(nullptr, inputs);
    try {
      static_cast<void>(evaluate_anyway(point == 0 ? inputs : moved(signature_, inputs)));
    } catch (const testutils::SubjectError &) { // The check itself says so.
    }
  });
}

std::optional<testutils::SideEffects> JitSubject::side_effects(const testutils::DerivativeRequest &request) {
  return side_effects_of(request_, program_, compiled(request), request);
}

std::optional<std::pair<testutils::PrimalOutcome, testutils::PrimalOutcome>>
JitSubject::evaluate_both(const testutils::Arguments &first, const testutils::Arguments &second,
                          const testutils::Succession &succession) {
  if (before_run)
    before_run(nullptr, first);
  return call_function_twice(request_, program_, first, second, succession);
}

std::optional<std::pair<testutils::DerivativeOutcome, testutils::DerivativeOutcome>>
JitSubject::differentiate_both(const testutils::DerivativeRequest &first, const testutils::DerivativeRequest &second,
                               const testutils::Succession &succession) {
  if (request_.function.launch && succession.order != testutils::Succession::Order::one_after_the_other)
    return std::nullopt; // Both sweeps of a kernel are one launch.
  return call_derivative_twice(request_, program_, {compiled(first), compiled(second)}, first, second, succession);
}

std::vector<testutils::PrimalOutcome> JitSubject::evaluate_in_a_row(const testutils::Arguments &inputs,
                                                                    unsigned calls) {
  if (before_run)
    before_run(nullptr, inputs);
  return call_function_in_a_row(request_, program_, inputs, calls);
}

std::vector<testutils::DerivativeOutcome>
JitSubject::differentiate_in_a_row(const testutils::DerivativeRequest &request, unsigned calls,
                                   const std::string &put_back) {
  return call_derivative_in_a_row(request_, program_, compiled(request), request, calls, put_back);
}

std::string JitSubject::other_size(std::size_t size) const {
  const CheckRequest &other = other_shapes[size].subject->request_;
  std::vector<std::string> parts;
  for (std::size_t index = 0; index < other.arguments.size(); ++index)
    if (other.arguments[index].integers != request_.arguments[index].integers && !other.arguments[index].is_pointer())
      parts.push_back(fmt::format("{} = {}", other.function.parameters[index].name,
                                  fmt::join(other.arguments[index].integers, ",")));
  return fmt::format("{}{}", fmt::join(parts, ", "),
                     other_shapes[size].numbers == OtherNumbers::the_same ? " and the same numbers" : "");
}

/// The same numbers as far as there are so many, but for those that have a structure.
testutils::Arguments JitSubject::inputs_of(const OtherShape &other, const testutils::Arguments &inputs) const {
  testutils::Arguments there = testutils::random_inputs(other.subject->signature_, {}, 0);
  if (other.numbers == OtherNumbers::drawn)
    return there;
  for (std::size_t index = 0; index < there.size(); ++index) {
    const testutils::Parameter &parameter = signature_.parameters[index];
    if (testutils::may_change(parameter))
      std::copy_n(inputs[index].begin(), std::min(inputs[index].size(), there[index].size()), there[index].begin());
    else if (parameter.element != testutils::ElementType::integer && there[index].size() == inputs[index].size())
      there[index] = inputs[index];
  }
  return there;
}

testutils::PrimalOutcome JitSubject::evaluate_after_size(std::size_t size, const testutils::Arguments &inputs) {
  const JitSubject &other = *other_shapes[size].subject;
  const testutils::Arguments elsewhere = inputs_of(other_shapes[size], inputs);
  PrimalCall first(other.request_, program_, program_.function(), elsewhere),
      second(request_, program_, program_.function(), inputs);
  program_.reset();
  if (other.before_run)
    other.before_run(nullptr, elsewhere);
  first.run();
  if (before_run)
    before_run(nullptr, inputs);
  second.run();
  return second.outcome();
}

testutils::DerivativeOutcome JitSubject::differentiate_after_size(std::size_t size,
                                                                  const testutils::DerivativeRequest &request) {
  const JitSubject &other = *other_shapes[size].subject;
  const testutils::DerivativeRequest elsewhere = testutils::random_request(
      other.signature_, request.combination, inputs_of(other_shapes[size], request.inputs), {0, "other size", "", 0});
  const jit::Entry entry = compiled(request);
  DerivativeCall first(other.request_, program_, entry, elsewhere), second(request_, program_, entry, request);
  first.between = second.between = DerivativeCall::Between::variables_are_kept;
  program_.reset();
  if (other.before_run) // Where it does not return, its inputs are the ones to tell of.
    other.before_run(&request.combination, elsewhere.inputs);
  first.run();
  if (before_run)
    before_run(&request.combination, request.inputs);
  second.run();
  return second.outcome();
}

std::vector<testutils::Variable> JitSubject::variables_changed_by(const testutils::DerivativeRequest &request) {
  const jit::Entry entry = compiled(request);
  static_cast<void>(call_derivative(request_, program_, entry, request));
  std::vector<testutils::Variable> variables;
  for (const std::string &symbol : program_.changed_variables(entry))
    variables.push_back({symbol, program_.name_of_variable(symbol)});
  return variables;
}

bool JitSubject::differentiate_again(const testutils::DerivativeRequest &request) {
  DerivativeCall call(request_, program_, compiled(request), request);
  call.between = DerivativeCall::Between::variables_are_kept;
  call.run();
  return true;
}

std::optional<testutils::DerivativeOutcome>
JitSubject::differentiate_in_new_thread(const testutils::DerivativeRequest &request) {
  return request_.function.launch ? std::nullopt : call_in_new_thread(request_, program_, compiled(request), request);
}

std::optional<testutils::Race> JitSubject::race(const testutils::DerivativeRequest &first,
                                                const testutils::DerivativeRequest &second) {
  program_.reset();
  static_cast<void>(evaluate(first.inputs));
  if (!program_.changed_variables(program_.function()).empty())
    return std::nullopt;
  const auto compiled = program_.interruptible(
      derivative_of(first.combination, testutils::PrimalResult::wanted, signature_.result.has_value()));
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    throw testutils::SubjectError(refusal->message);
  if (before_run)
    before_run(&first.combination, first.inputs);
  if (before_other_run)
    before_other_run("two calls at once, each interrupted by the other one");
  return race_between(request_, program_, std::get<jit::Entry>(compiled), first, second);
}

std::vector<jit::RegisteredRule> JitSubject::rules_used_in(const testutils::Combination &combination) const {
  const jit::Mode mode = combination.mode == testutils::Mode::forward ? jit::Mode::forward : jit::Mode::reverse;
  std::vector<jit::RegisteredRule> rules = program_.rules();
  std::erase_if(rules, [&](const jit::RegisteredRule &rule) { return !rule.is_reached || rule.mode != mode; });
  return rules;
}

std::vector<testutils::Rule> JitSubject::rules(const testutils::Combination &combination) const {
  std::vector<testutils::Rule> rules;
  for (const jit::RegisteredRule &rule : rules_used_in(combination))
    rules.push_back({jit::describe(rule), rule.has_body && file && no_trace.empty()});
  return rules;
}

/// The function as it is without one rule, with the program that it needs.
class SubjectWithoutRule : public testutils::Subject {
public:
  SubjectWithoutRule(const CheckRequest &request, const jit::ModuleFile &file, const std::string &table,
                     std::function<void()> at_end)
      : at_end_(std::move(at_end)), program_(file, request.function, repetition_of(request), {{table}}),
        subject_(request, program_) {
    subject_.file = &file;
  }
  ~SubjectWithoutRule() override {
    if (at_end_)
      at_end_();
  }

  const testutils::Signature &signature() const override { return subject_.signature(); }
  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override { return subject_.evaluate(inputs); }
  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request) override {
    return subject_.differentiate(request);
  }
  std::optional<testutils::PreciseDerivative> precise_derivative(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override {
    return subject_.precise_derivative(inputs, direction);
  }
  std::optional<testutils::SideEffects> side_effects(const testutils::DerivativeRequest &request) override {
    return subject_.side_effects(request);
  }
  std::optional<std::pair<testutils::PrimalOutcome, testutils::PrimalOutcome>>
  evaluate_both(const testutils::Arguments &first, const testutils::Arguments &second,
                const testutils::Succession &succession) override {
    return subject_.evaluate_both(first, second, succession);
  }
  std::optional<std::pair<testutils::DerivativeOutcome, testutils::DerivativeOutcome>>
  differentiate_both(const testutils::DerivativeRequest &first, const testutils::DerivativeRequest &second,
                     const testutils::Succession &succession) override {
    return subject_.differentiate_both(first, second, succession);
  }
  std::vector<testutils::PrimalOutcome> evaluate_in_a_row(const testutils::Arguments &inputs, unsigned calls) override {
    return subject_.evaluate_in_a_row(inputs, calls);
  }
  std::vector<testutils::DerivativeOutcome> differentiate_in_a_row(const testutils::DerivativeRequest &request,
                                                                   unsigned calls,
                                                                   const std::string &put_back) override {
    return subject_.differentiate_in_a_row(request, calls, put_back);
  }
  bool differentiate_again(const testutils::DerivativeRequest &request) override {
    return subject_.differentiate_again(request);
  }
  std::optional<testutils::Race> race(const testutils::DerivativeRequest &first,
                                      const testutils::DerivativeRequest &second) override {
    return subject_.race(first, second);
  }
  std::vector<testutils::Rule> rules(const testutils::Combination &combination) const override {
    return subject_.rules(combination);
  }
  testutils::Subject *derivative_as_function(const testutils::Combination &combination) override {
    return subject_.derivative_as_function(combination);
  }
  bool keeps_nothing() const override { return true; }

private:
  std::function<void()> at_end_;
  jit::Program program_;
  JitSubject subject_;
};

std::unique_ptr<testutils::Subject> JitSubject::without_rule(const testutils::Combination &combination,
                                                             std::size_t rule) {
  const std::vector<jit::RegisteredRule> rules = rules_used_in(combination);
  if (before_trace)
    before_trace();
  if (rule >= rules.size() || !file)
    return nullptr;
  return std::make_unique<SubjectWithoutRule>(request_, *file, rules[rule].symbol, after_trace);
}

std::vector<std::string> JitSubject::notes() const {
  std::vector<std::string> notes = request_.notes;
  for (const std::string &rule : request_.unused_rules)
    notes.push_back(unused_rule_note(rule));
  return notes;
}

/// Tables of split rules of functions that have another rule for forward mode, which calls use.
static std::vector<std::string> split_rules_of_forward_mode(const std::vector<jit::RegisteredRule> &rules) {
  constexpr std::string_view split = "__enzyme_register_splitderivative";
  std::vector<std::string> tables;
  for (const jit::RegisteredRule &rule : rules) {
    const auto comes_first = [&](const jit::RegisteredRule &other) {
      return other.mode == rule.mode && other.function_symbol == rule.function_symbol &&
             !other.table.starts_with(split);
    };
    if (rule.is_reached && rule.table.starts_with(split) && std::ranges::any_of(rules, comes_first))
      tables.push_back(rule.table);
  }
  return tables;
}

std::vector<std::string> JitSubject::not_seen() const {
  std::vector<std::string> phrases = unseen_branches;
  const std::vector<std::string> variables = program_.variables_only_read();
  if (!variables.empty())
    phrases.push_back(
        fmt::format("variables that are only read keep their initial values: {}", fmt::join(variables, ", ")));
  for (const std::string &table : split_rules_of_forward_mode(program_.rules()))
    phrases.push_back(fmt::format("no split forward mode, which {} is for", table));
  return phrases;
}

} // namespace assay::cli
