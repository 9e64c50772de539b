#include "cli/jit_branch_tracer.hpp"

#include "cli/jit_subject.hpp"
#include "cli/primal_call.hpp"
#include "core/trace/comparison_run.hpp"
#include "testutils/point.hpp"
#include "testutils/requests.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cli {

namespace {

/// A call compares at most so many times as often as the first one, and may compare so often in any case.
constexpr std::size_t most_times = 100, always = 100'000;

bool are_finite(const testutils::Values &values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool is_finite(const testutils::PrimalOutcome &outcome) {
  return are_finite(outcome.result) && std::ranges::all_of(outcome.contents, are_finite);
}

void join(testutils::BranchSummary::Side &joined, const trace::ComparisonSummary::Side &side) {
  if (side.count == 0)
    return;
  if (joined.count == 0 || std::abs(side.left - side.right) < std::abs(joined.left - joined.right)) {
    joined.left = side.left;
    joined.right = side.right;
  }
  joined.count += side.count;
}

testutils::DerivativeRequest without_seeds(testutils::DerivativeRequest request) {
  for (testutils::Arguments &lane : request.shadows)
    for (testutils::Values &shadow : lane)
      shadow.assign(shadow.size(), 0);
  for (testutils::Values &seed : request.result_seeds)
    seed.assign(seed.size(), 0);
  return request;
}

} // namespace

JitBranchTracer::JitBranchTracer(const CheckRequest &request, const testutils::Signature &signature,
                                 const jit::Program &program, jit::RecordedComparisons code,
                                 std::vector<testutils::Combination> combinations)
    : request_(request), signature_(signature), program_(program), code_(std::move(code)),
      combinations_(std::move(combinations)) {
  for (const trace::ComparisonSite &site : code_.sites)
    sites_.push_back({site.place, site.is_own, site.is_in_rule});
}

bool JitBranchTracer::record(jit::Entry entry, const std::function<void(jit::Entry)> &call,
                             testutils::BranchTrace &trace) {
  trace::ComparisonRun run;
  run.program = entry;
  if (usual_count_ != 0)
    run.most_counted = std::max(always, most_times * usual_count_);
  call(trace::ComparisonRun::enter);
  usual_count_ = usual_count_ == 0 ? run.count() : usual_count_;
  trace.comparisons += run.count();
  trace.sites.resize(std::max(trace.sites.size(), run.summaries().size()));
  for (std::size_t site = 0; site < run.summaries().size(); ++site)
    for (std::size_t side = 0; side < 2; ++side)
      join(trace.sites[site].sides[side], run.summaries()[site].sides[side]);
  return !run.was_cut_short();
}

testutils::DerivativeRequest JitBranchTracer::request_for(const testutils::Combination &combination,
                                                          const testutils::Arguments &inputs) const {
  return testutils::random_request(
      signature_, combination, inputs,
      {.seed = request_.settings.seed, .suite = {}, .name = signature_.function, .sample = 0});
}

std::optional<testutils::BranchTrace> JitBranchTracer::trace(const testutils::Arguments &inputs) {
  testutils::BranchTrace trace;
  bool is_finite_here = false;
  const auto call = [&](jit::Entry entry) {
    try {
      is_finite_here = is_finite(call_function(request_, program_, entry, inputs));
    } catch (const testutils::FunctionThrew &) { // As where it is not finite.
    }
  };
  const bool is_complete = record(code_.function, call, trace);
  if (!is_complete || !is_finite_here)
    return std::nullopt;
  for (std::size_t index = 0; index < combinations_.size(); ++index) {
    const testutils::DerivativeRequest request = request_for(combinations_[index], inputs);
    if (!record(
            code_.derivatives[index],
            [&](jit::Entry entry) { static_cast<void>(call_derivative(request_, program_, entry, request)); }, trace))
      return std::nullopt;
  }
  return trace;
}

std::optional<testutils::BranchTrace> JitBranchTracer::trace_other_calls(const testutils::Arguments &inputs) {
  testutils::BranchTrace trace;
  const auto call_twice = [&](jit::Entry entry) {
    program_.reset();
    PrimalCall twice(request_, program_, entry, inputs);
    twice.run();
    twice.refill(inputs);
    twice.run();
  };
  bool is_complete = record(code_.function, call_twice, trace);
  for (std::size_t index = 0; index < combinations_.size() && is_complete; ++index)
    is_complete = record_other_calls(index, inputs, trace);
  return is_complete ? std::optional(std::move(trace)) : std::nullopt;
}

bool JitBranchTracer::record_other_calls(std::size_t index, const testutils::Arguments &inputs,
                                         testutils::BranchTrace &trace) {
  const testutils::DerivativeRequest request = request_for(combinations_[index], inputs);
  const testutils::DerivativeRequest zero = without_seeds(request);
  return record(
      code_.derivatives[index],
      [&](jit::Entry entry) {
        program_.reset();
        DerivativeCall call(request_, program_, entry, request);
        call.run();
        call.refill(zero);
        call.run();
      },
      trace);
}

std::unique_ptr<testutils::BranchTracer>
JitSubject::branch_tracer(const std::vector<testutils::Combination> &combinations) {
  std::vector<jit::Derivative> derivatives;
  for (const testutils::Combination &combination : combinations)
    derivatives.push_back(derivative_of(combination, testutils::PrimalResult::wanted, signature_.result.has_value()));
  auto compiled = program_.recording(derivatives);
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    throw testutils::SubjectError(refusal->message);
  return std::make_unique<JitBranchTracer>(request_, signature_, program_,
                                           std::get<jit::RecordedComparisons>(std::move(compiled)), combinations);
}

} // namespace assay::cli
