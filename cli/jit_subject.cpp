#include "cli/jit_subject.hpp"

#include "cli/call_frame.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace assay::cli {

namespace {

using testutils::Activity;
using testutils::Combination;
using testutils::Values;

testutils::ElementType element_type(jit::Scalar type) {
  if (type == jit::Scalar::real64)
    return testutils::ElementType::double_precision;
  return type == jit::Scalar::real32 ? testutils::ElementType::single_precision : testutils::ElementType::integer;
}

std::vector<double> fixed_values(const jit::ArgumentSpec &spec) {
  std::vector<double> values(spec.reals);
  for (const std::int64_t value : spec.integers)
    values.push_back(static_cast<double>(value));
  if (values.size() == 1)
    values.resize(spec.elements(), values.front());
  return values;
}

testutils::Parameter parameter_of(const jit::ParameterType &type, const jit::ArgumentSpec &spec) {
  testutils::Parameter parameter;
  parameter.name = type.name;
  parameter.element = element_type(spec.type);
  parameter.passing = spec.is_pointer() ? testutils::Passing::buffer : testutils::Passing::value;
  parameter.extents = spec.extents;
  parameter.constant_only = spec.constant;
  parameter.domain = {spec.domain.low, spec.domain.high, spec.domain.kind == jit::Domain::Kind::nonzero};
  parameter.fixed = fixed_values(spec);
  return parameter;
}

jit::Activity jit_activity(Activity activity) {
  switch (activity) {
  case Activity::constant:
    return jit::Activity::constant;
  case Activity::active:
    return jit::Activity::active;
  case Activity::duplicated:
    return jit::Activity::duplicated;
  case Activity::duplicated_no_need:
    return jit::Activity::duplicated_no_need;
  }
  return jit::Activity::constant;
}

bool is_duplicated(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
}

bool wants_primal(const Combination &combination, testutils::PrimalResult primal) {
  if (combination.mode == testutils::Mode::forward)
    return combination.result == Activity::duplicated;
  return primal == testutils::PrimalResult::wanted;
}

void place_shadows(CallFrame &frame, const testutils::DerivativeRequest &request) {
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    for (std::size_t index = 0; index < frame.layout.parameters; ++index) {
      const Activity activity = request.combination.arguments[index];
      const std::size_t slot = frame.layout.shadow(index, lane);
      if (activity == Activity::active)
        frame.place(slot, NumberBuffer::poisoned(frame.type(index), 1), "the adjoint of " + frame.name(index));
      else if (is_duplicated(activity))
        frame.place(slot, {frame.type(index), request.shadows[lane][index]}, "the shadow of " + frame.name(index));
    }
}

void place_results(CallFrame &frame, const testutils::DerivativeRequest &request) {
  const jit::Scalar type = frame.result_type();
  frame.place(frame.layout.result(), NumberBuffer::poisoned(type, 1), "the result");
  for (unsigned lane = 0; lane < request.combination.width; ++lane) {
    frame.place(frame.layout.result_tangent(lane), NumberBuffer::poisoned(type, 1), "the tangent of the result");
    if (request.combination.mode == testutils::Mode::reverse && request.combination.result == Activity::active)
      frame.place(frame.layout.result_seed(lane), {type, request.result_seeds[lane]}, "the seed");
  }
}

/// What a caller may do between the two sweeps: it reuses all memory that it passed.
struct Reuse {
  CallFrame &frame;
  testutils::Arguments contents; ///< That the augmented primal left.

  static void run(void *argument) {
    auto &reuse = *static_cast<Reuse *>(argument);
    reuse.contents = reuse.frame.contents();
    reuse.frame.poison_buffers();
  }
};

} // namespace

jit::Derivative derivative_of(const Combination &combination, testutils::PrimalResult primal, bool returns) {
  jit::Derivative derivative;
  derivative.mode = combination.mode == testutils::Mode::forward ? jit::Mode::forward : jit::Mode::reverse;
  derivative.width = combination.width;
  derivative.result = jit_activity(combination.result);
  derivative.primal =
      returns && wants_primal(combination, primal) ? jit::PrimalResult::wanted : jit::PrimalResult::omitted;
  if (combination.form == testutils::Form::split)
    derivative.form = jit::Form::split;
  if (combination.runtime_activity == testutils::RuntimeActivity::on)
    derivative.runtime_activity = jit::RuntimeActivity::on;
  for (const Activity activity : combination.arguments)
    derivative.arguments.push_back(jit_activity(activity));
  return derivative;
}

testutils::Signature signature_of(const CheckRequest &request) {
  testutils::Signature signature;
  signature.function = request.function.name;
  for (std::size_t index = 0; index < request.arguments.size(); ++index)
    signature.parameters.push_back(parameter_of(request.function.parameters[index], request.arguments[index]));
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
    before_run(nullptr);
  CallFrame frame(request_, {inputs.size(), 0});
  frame.place_inputs(inputs);
  frame.place_result();
  program_.reset();
  frame.call(program_.function());
  return {frame.at(frame.layout.result()), frame.contents(), frame.violations()};
}

testutils::DerivativeOutcome JitSubject::differentiate(const testutils::DerivativeRequest &request) {
  if (before_run)
    before_run(&request.combination);
  const jit::Derivative derivative = derivative_of(request.combination, request.primal, signature_.result.has_value());
  const auto compiled = program_.derivative(derivative);
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled)) {
    refusals_[testutils::describe(signature_, request.combination)] = refusal->message;
    throw testutils::SubjectError(refusal->message);
  }

  const unsigned width = request.combination.width;
  CallFrame frame(request_, {request.inputs.size(), width});
  frame.place_inputs(request.inputs);
  place_shadows(frame, request);
  if (signature_.result)
    place_results(frame, request);
  const bool is_split = request.combination.form == testutils::Form::split;
  Reuse reuse{frame, {}};
  if (is_split)
    frame.call_between(Reuse::run, &reuse);
  program_.reset();
  frame.call(std::get<jit::Entry>(compiled));

  testutils::DerivativeOutcome outcome;
  if (derivative.primal == jit::PrimalResult::wanted)
    outcome.result = frame.at(frame.layout.result());
  outcome.contents = is_split ? std::move(reuse.contents) : frame.contents();
  for (unsigned lane = 0; lane < width; ++lane) {
    const bool tangent =
        request.combination.mode == testutils::Mode::forward && is_duplicated(request.combination.result);
    outcome.result_tangents.push_back(tangent ? frame.at(frame.layout.result_tangent(lane)) : Values());
    testutils::Arguments shadows;
    for (std::size_t index = 0; index < request.inputs.size(); ++index)
      shadows.push_back(frame.at(frame.layout.shadow(index, lane)));
    outcome.shadows.push_back(std::move(shadows));
  }
  outcome.violations = frame.violations();
  if (is_split)
    std::ranges::move(frame.changes_of_poison(), std::back_inserter(outcome.violations));
  return outcome;
}

bool JitSubject::supports(const Combination &combination) const {
  return !left_out.contains(testutils::describe(signature_, combination));
}

const std::string *JitSubject::refusal(const Combination &combination) const {
  const auto found = refusals_.find(testutils::describe(signature_, combination));
  return found == refusals_.end() ? nullptr : &found->second;
}

std::string JitSubject::replay_command(std::uint64_t seed) const {
  return cli::replay_command(request_, seed);
}

void JitSubject::prepare(const std::vector<Combination> &combinations) {
  std::vector<jit::Derivative> derivatives;
  for (const Combination &combination : combinations)
    derivatives.push_back(derivative_of(combination, testutils::PrimalResult::wanted, signature_.result.has_value()));
  program_.compile(derivatives);
}

} // namespace assay::cli
