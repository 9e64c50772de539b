#include "cli/jit_subject.hpp"

#include "cli/call_frame.hpp"
#include "cli/jit_calls.hpp"
#include "cli/jit_tracer.hpp"
#include "cli/memory_beside.hpp"
#include "cli/successive_calls.hpp"
#include "core/jit/operation_count.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sys/resource.h>

namespace assay::cli {

namespace {

using testutils::Combination;
using testutils::Values;

testutils::ElementType element_type(jit::Scalar type) {
  switch (type) {
  case jit::Scalar::real64:
    return testutils::ElementType::double_precision;
  case jit::Scalar::real32:
    return testutils::ElementType::single_precision;
  case jit::Scalar::real16:
    return testutils::ElementType::half_precision;
  case jit::Scalar::brain16:
    return testutils::ElementType::brain_float;
  default:
    return testutils::ElementType::integer;
  }
}

/// A shorter list repeats.
std::vector<double> fixed_values(const jit::ArgumentSpec &spec) {
  std::vector<double> given(spec.reals);
  for (const std::int64_t value : spec.integers)
    given.push_back(static_cast<double>(value));
  std::vector<double> values;
  for (std::size_t element = 0; !given.empty() && element < spec.elements(); ++element)
    values.push_back(given[element % given.size()]);
  return values;
}

testutils::Domain domain_of(const jit::ArgumentSpec &spec) {
  const jit::Domain &given = spec.domain;
  testutils::Domain domain{given.low * given.scale, given.high * given.scale, given.kind == jit::Domain::Kind::nonzero};
  domain.structure = given.structure;
  domain.logarithmic = given.kind == jit::Domain::Kind::logarithmic;
  domain.step = given.step * given.scale;
  domain.scale = given.scale;
  if (spec.range) { // Formulas have become numbers.
    const auto number = [](const jit::IntegerFormula &formula) {
      return static_cast<double>(formula.value([](const std::string &) { return 0; }));
    };
    domain.low = number(spec.range->low);
    domain.high = number(spec.range->high);
  }
  return domain;
}

testutils::Parameter parameter_of(const jit::ParameterType &type, const jit::ArgumentSpec &spec) {
  testutils::Parameter parameter;
  parameter.name = type.name;
  parameter.element = element_type(spec.type);
  parameter.passing = spec.is_pointer() ? testutils::Passing::buffer : testutils::Passing::value;
  parameter.extents = spec.extents;
  parameter.constant_only = spec.constant;
  parameter.domain = domain_of(spec);
  parameter.fixed = fixed_values(spec);
  parameter.element_paths = type.element_paths;
  parameter.sharing = type.shared_as;
  parameter.may_be_shared = spec.is_pointer() && !type.is_restrict;
  return parameter;
}

} // namespace

testutils::Signature signature_of(const CheckRequest &request) {
  testutils::Signature signature;
  signature.function = request.function.name;
  for (std::size_t index = 0; index < request.arguments.size(); ++index)
    signature.parameters.push_back(parameter_of(request.function.parameters[index], request.arguments[index]));
  if (request.settings.sharing == Sharing::every_way)
    for (testutils::Parameter &parameter : signature.parameters)
      parameter.may_be_shared = false; // That is checked elsewhere.
  if (request.function.result) {
    testutils::Parameter result;
    result.name = "result";
    result.element = element_type(storage_type(*request.function.result, jit::Scalar::real64));
    signature.result = result;
  }
  return signature;
}

JitSubject::JitSubject(const CheckRequest &request, jit::Program &program)
    : request_(request), program_(program), signature_(signature_of(request)) {}

testutils::PrimalOutcome JitSubject::evaluate(const testutils::Arguments &inputs) {
  if (before_run)
    before_run(nullptr, inputs);
  return call_function(request_, program_, program_.function(), inputs);
}

testutils::PrimalOutcome JitSubject::evaluate_anyway(const testutils::Arguments &inputs) {
  if (!no_trial.empty())
    throw testutils::SubjectError(no_trial);
  if (before_trial)
    before_trial();
  testutils::PrimalOutcome outcome = evaluate(inputs);
  if (after_trial)
    after_trial();
  return outcome;
}

std::optional<std::string> JitSubject::fault_of_function(const testutils::Arguments &inputs) {
  if (!no_trial.empty() || request_.function.launch) // Kernels run under a watch over each access.
    return std::nullopt;
  if (before_trial)
    before_trial();
  std::optional<std::string> read;
  try {
    read = cli::memory_read_beside(request_, program_, inputs);
  } catch (const testutils::SubjectError &) { // It throws: the check says so where it does at its points.
  }
  if (after_trial)
    after_trial();
  return read;
}

/// Operations that take as long as a call waits, for a clock or another process: a power of two, so that a function
/// which waits as long on every run has the same cost. Where the call gave up no processor it waited for none.
template <class Call>
static std::uint64_t operations_while_waiting(Call &&call) {
  constexpr double least_seconds = 2e-3, operations_in_second = 2.5e9;
  using Clock = std::chrono::steady_clock;
  rusage before{}, after{};
  ::getrusage(RUSAGE_THREAD, &before);
  const auto begin = Clock::now();
  call();
  const std::chrono::duration<double> passed = Clock::now() - begin;
  ::getrusage(RUSAGE_THREAD, &after);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const double worked =
      seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) - seconds(before.ru_stime);
  const double waited = passed.count() - worked;
  if (after.ru_nvcsw == before.ru_nvcsw || waited < least_seconds)
    return 0;
  return static_cast<std::uint64_t>(std::exp2(std::round(std::log2(waited * operations_in_second))));
}

std::optional<testutils::CallCost> JitSubject::cost_of_call(const testutils::Arguments &inputs) {
  if (before_run)
    before_run(nullptr, inputs);
  const auto compiled = program_.counted();
  const auto *counted = std::get_if<jit::CountedFunction>(&compiled);
  if (!counted)
    return std::nullopt;
  jit::reset_operation_count();
  const std::uint64_t waiting = operations_while_waiting(
      [&] { static_cast<void>(call_function(request_, program_, counted->function, inputs)); });
  const jit::OperationCount count = jit::counted_operations();
  return testutils::CallCost{count.operations + waiting, count.real_operations, counted->code_size};
}

jit::Entry JitSubject::compiled(const testutils::DerivativeRequest &request) {
  if (before_run)
    before_run(&request.combination, request.inputs);
  const jit::Derivative derivative = derivative_of(request.combination, request.primal, signature_.result.has_value());
  const auto compiled = program_.derivative(derivative);
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled)) {
    refusals_[testutils::describe(signature_, request.combination)] = refusal->message;
    throw testutils::SubjectError(refusal->message);
  }
  return std::get<jit::Entry>(compiled);
}

testutils::DerivativeOutcome JitSubject::differentiate(const testutils::DerivativeRequest &request) {
  testutils::DerivativeOutcome outcome = call_derivative(request_, program_, compiled(request), request);
  calls_[request.combination].add(request, outcome);
  return outcome;
}

std::string JitSubject::digest_of_calls(const Combination &combination) const {
  const auto calls = calls_.find(combination);
  return calls == calls_.end() ? "" : calls->second.text();
}

std::optional<testutils::DerivativeOutcome>
JitSubject::differentiate_with_other_rounding(const testutils::DerivativeRequest &request) {
  const auto compiled =
      program_.with_other_rounding(derivative_of(request.combination, request.primal, signature_.result.has_value()));
  if (const auto *entry = std::get_if<jit::Entry>(&compiled))
    return call_derivative(request_, program_, *entry, request);
  return std::nullopt;
}

std::unique_ptr<testutils::Tracer> JitSubject::tracer(const testutils::Combination &combination) {
  if (!no_trace.empty())
    throw testutils::SubjectError(no_trace);
  return std::make_unique<JitTracer>(request_, program_, combination, before_trace, after_trace);
}

bool JitSubject::supports(const Combination &combination) const {
  return !modes_given_up.contains(combination.mode) &&
         (left_out.empty() || !left_out.contains(testutils::describe(signature_, combination)));
}

const std::string *JitSubject::refusal(const Combination &combination) const {
  const auto found = refusals_.find(testutils::describe(signature_, combination));
  return found == refusals_.end() ? nullptr : &found->second;
}

std::string JitSubject::replay_command(std::uint64_t seed) const {
  return cli::replay_command(request_, seed);
}

void JitSubject::prepare(const std::vector<Combination> &combinations) {
  std::set<jit::Derivative> derivatives;
  for (const auto &[combination, primal] : testutils::derivatives_needed(combinations))
    if (supports(combination))
      derivatives.insert(derivative_of(combination, primal, signature_.result.has_value()));
  program_.compile(std::vector(derivatives.begin(), derivatives.end()));
}

} // namespace assay::cli
