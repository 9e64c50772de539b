#include "cli/jit_tracer.hpp"

#include "cli/announced.hpp"
#include "cli/jit_calls.hpp"
#include "core/trace/run.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace assay::cli {

namespace {

testutils::TraceSite::Kind kind_of(trace::Site::Kind kind) {
  using From = trace::Site::Kind;
  using To = testutils::TraceSite::Kind;
  switch (kind) {
  case From::result:
    return To::result;
  case From::operand:
    return To::operand;
  case From::loaded:
    return To::loaded;
  case From::stored:
    return To::stored;
  case From::call:
    return To::call;
  }
  return To::result;
}

testutils::Trace trace_of(const trace::Run &run) {
  testutils::Trace trace;
  trace.count = run.count();
  trace.numbers.reserve(run.numbers().size());
  for (const trace::Number &number : run.numbers())
    trace.numbers.push_back({number.site, number.value, number.derivative, number.has_derivative,
                             std::bit_cast<std::uintptr_t>(number.address)});
  for (const trace::Mark &mark : run.marks())
    trace.marks.push_back({mark.site, mark.position});
  return trace;
}

} // namespace

JitTracer::JitTracer(const CheckRequest &request, jit::Program &program, const testutils::Combination &combination,
                     std::function<void()> before, std::function<void()> after)
    : request_(request), program_(program), before_(std::move(before)), after_(std::move(after)) {
  const Announced announced(before_, after_);
  auto compiled =
      program_.traced(derivative_of(combination, testutils::PrimalResult::wanted, request.function.result.has_value()));
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    throw testutils::SubjectError(fmt::format("with probes it does not compile: {}", refusal->message));
  compiled_ = std::get<jit::TracedDerivative>(std::move(compiled));
  for (trace::Site &site : compiled_.sites)
    sites_.push_back({kind_of(site.kind), std::move(site.what), std::move(site.place)});
}

testutils::PrimalOutcome JitTracer::evaluate(const testutils::Arguments &inputs, const testutils::Values &amounts,
                                             testutils::Trace &trace) {
  const Announced announced(before_, after_);
  trace::Run run;
  run.program = compiled_.function;
  run.amounts = amounts;
  if (usual_count_ != 0)
    run.most_counted = usual_count_;
  testutils::PrimalOutcome outcome = call_function(request_, program_, trace::Run::enter, inputs);
  trace = trace_of(run);
  if (usual_count_ == 0)
    usual_count_ = run.count();
  return outcome;
}

testutils::DerivativeOutcome JitTracer::differentiate(const testutils::DerivativeRequest &request,
                                                      testutils::Trace &trace) {
  const Announced announced(before_, after_);
  trace::Run run;
  run.program = compiled_.derivative;
  testutils::DerivativeOutcome outcome = call_derivative(request_, program_, trace::Run::enter, request);
  trace = trace_of(run);
  return outcome;
}

} // namespace assay::cli
