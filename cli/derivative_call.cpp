#include "cli/derivative_call.hpp"

#include "core/jit/bounds_checks.hpp"
#include "core/jit/heap_watch.hpp"
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace assay::cli {

namespace {

using testutils::Activity;
using testutils::Combination;
using testutils::Values;

bool is_duplicated(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
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

bool wants_primal(const Combination &combination, testutils::PrimalResult primal) {
  if (combination.mode == testutils::Mode::forward)
    return combination.result == Activity::duplicated;
  return primal == testutils::PrimalResult::wanted;
}

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

Watching run_watched(const jit::Program &program, jit::Entry entry, testutils::Watched watched,
                     const std::function<void()> &run) {
  const jit::HeapWatch heap([&program](const void *address) { return program.name_of_code(address); });
  const jit::BoundsWatch bounds;
  const testutils::EnvironmentWatch environment(watched);
  run();
  Watching seen;
  seen.environment = environment.report();
  jit::HeapReport report = heap.report();
  seen.heap = {report.blocks_left,         report.bytes_left,  std::move(report.faults), std::move(report.left),
               std::move(report.mappings), report.allocations, report.most_bytes};
  seen.damage = std::move(report.damage);
  std::ranges::move(heap.overruns_of_kept([&] { return program.addresses_in_variables(entry); }),
                    std::back_inserter(seen.damage));
  std::ranges::move(jit::BoundsWatch::report(), std::back_inserter(seen.damage));
  return seen;
}

DerivativeCall::DerivativeCall(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                               const testutils::DerivativeRequest &derivative)
    : request_(request), program_(program), entry_(entry), derivative_(&derivative),
      frame_(request, {derivative.inputs.size(), derivative.combination.width}) {
  frame_.place_inputs(derivative.inputs, derivative.poisoned);
  place_shadows();
  if (request.function.result)
    place_results();
}

void DerivativeCall::place_shadows() {
  for (unsigned lane = 0; lane < derivative_->combination.width; ++lane)
    for (std::size_t index = 0; index < frame_.layout.parameters; ++index) {
      const Activity activity = derivative_->combination.arguments[index];
      const std::size_t slot = frame_.layout.shadow(index, lane);
      if (activity == Activity::active)
        frame_.place(slot, NumberBuffer::poisoned(frame_.type(index), 1), "the adjoint of " + frame_.name(index));
      else if (is_duplicated(activity))
        frame_.place(slot,
                     {frame_.type(index), derivative_->shadows[lane][index], canaries_of(derivative_->poisoned, index)},
                     "the shadow of " + frame_.name(index));
    }
}

void DerivativeCall::place_results() {
  const jit::Scalar type = frame_.result_type();
  frame_.place(frame_.layout.result(), NumberBuffer::poisoned(type, 1), "the result");
  for (unsigned lane = 0; lane < derivative_->combination.width; ++lane) {
    frame_.place(frame_.layout.result_tangent(lane), NumberBuffer::poisoned(type, 1), "the tangent of the result");
    if (derivative_->combination.mode == testutils::Mode::reverse &&
        derivative_->combination.result == Activity::active)
      frame_.place(frame_.layout.result_seed(lane), {type, derivative_->result_seeds[lane]}, "the seed");
  }
}

void DerivativeCall::refill(const testutils::DerivativeRequest &derivative) {
  derivative_ = &derivative;
  contents_.clear();
  violations_.clear();
  frame_.poison_all();
  for (std::size_t index = 0; index < frame_.layout.parameters; ++index)
    frame_.assign(frame_.layout.parameter(index), derivative.inputs[index]);
  for (unsigned lane = 0; lane < derivative.combination.width; ++lane) {
    for (std::size_t index = 0; index < frame_.layout.parameters; ++index)
      if (is_duplicated(derivative.combination.arguments[index]))
        frame_.assign(frame_.layout.shadow(index, lane), derivative.shadows[lane][index]);
    if (!derivative.result_seeds[lane].empty() && frame_.data(frame_.layout.result_seed(lane)))
      frame_.assign(frame_.layout.result_seed(lane), derivative.result_seeds[lane]);
  }
}

void DerivativeCall::between_sweeps(void *call) {
  static_cast<DerivativeCall *>(call)->reuse_memory();
}

void DerivativeCall::reuse_memory() {
  contents_ = frame_.contents();
  for (const std::string &shadow : frame_.changed_shadows())
    violations_.push_back(
        fmt::format("the augmented primal writes to {}, which is filled when it has returned", shadow));
  if (primal_done)
    primal_done();
  frame_.poison_buffers();
  if (between == Between::all_is_reused)
    program_.scramble();
  for (unsigned lane = 0; lane < derivative_->combination.width; ++lane)
    for (std::size_t index = 0; index < frame_.layout.parameters; ++index)
      if (is_duplicated(derivative_->combination.arguments[index]))
        frame_.assign(frame_.layout.shadow(index, lane), derivative_->shadows[lane][index]);
}

void DerivativeCall::run(testutils::Watched watched) {
  if (is_split()) {
    frame_.poison_shadows();
    frame_.call_between(between_sweeps, this);
  }
  watching_ = run_watched(program_, entry_, watched, [&] { frame_.call(entry_); });
  if (primal_done && !is_split())
    primal_done();
}

void DerivativeCall::run_alone() {
  if (is_split()) {
    frame_.poison_shadows();
    frame_.call_between(between_sweeps, this);
  }
  frame_.call_alone(entry_);
}

testutils::DerivativeOutcome DerivativeCall::outcome() {
  const Combination &combination = derivative_->combination;
  testutils::DerivativeOutcome outcome;
  outcome.heap = watching_.heap;
  outcome.environment = watching_.environment.changes;
  outcome.left_range = watching_.environment.left_range;
  outcome.violations = frame_.violations();
  std::ranges::copy(watching_.damage, std::back_inserter(outcome.violations));
  if (derivative_of(combination, derivative_->primal, request_.function.result.has_value()).primal ==
      jit::PrimalResult::wanted)
    outcome.result = frame_.at(frame_.layout.result());
  outcome.contents = is_split() ? contents_ : frame_.contents();
  for (unsigned lane = 0; lane < combination.width; ++lane) {
    const bool tangent = combination.mode == testutils::Mode::forward && is_duplicated(combination.result);
    outcome.result_tangents.push_back(tangent ? frame_.at(frame_.layout.result_tangent(lane)) : Values());
    testutils::Arguments shadows;
    for (std::size_t index = 0; index < derivative_->inputs.size(); ++index)
      shadows.push_back(frame_.at(frame_.layout.shadow(index, lane)));
    outcome.shadows.push_back(std::move(shadows));
  }
  if (is_split())
    for (const std::string &buffer : frame_.changed_buffers())
      violations_.push_back(fmt::format(
          "the reverse sweep writes to {}, which may hold something else since the augmented primal returned", buffer));
  std::ranges::copy(violations_, std::back_inserter(outcome.violations));
  return outcome;
}

} // namespace assay::cli
