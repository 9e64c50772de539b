#include "cli/jit_calls.hpp"

#include "cli/call_frame.hpp"
#include "core/jit/heap_watch.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace assay::cli {

namespace {

using testutils::Activity;
using testutils::Combination;
using testutils::Values;

bool is_duplicated(Activity activity) {
  return activity == Activity::duplicated || activity == Activity::duplicated_no_need;
}

void place_shadows(CallFrame &frame, const testutils::DerivativeRequest &request) {
  for (unsigned lane = 0; lane < request.combination.width; ++lane)
    for (std::size_t index = 0; index < frame.layout.parameters; ++index) {
      const Activity activity = request.combination.arguments[index];
      const std::size_t slot = frame.layout.shadow(index, lane);
      if (activity == Activity::active)
        frame.place(slot, NumberBuffer::poisoned(frame.type(index), 1), "the adjoint of " + frame.name(index));
      else if (is_duplicated(activity))
        frame.place(slot, {frame.type(index), request.shadows[lane][index], canaries_of(request.poisoned, index)},
                    "the shadow of " + frame.name(index));
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

/// What a caller may do around the two sweeps: it fills the shadows only between them, where it also reuses all memory
/// that it passed, and the function's variables.
struct Reuse {
  CallFrame &frame;
  const jit::Program &program;
  const testutils::DerivativeRequest &request;
  testutils::Arguments contents;       ///< That the augmented primal left.
  std::vector<std::string> violations; ///< One sentence each.

  void begin() {
    frame.poison_shadows();
    frame.call_between(between, this);
  }

  static void between(void *argument) {
    auto &reuse = *static_cast<Reuse *>(argument);
    reuse.contents = reuse.frame.contents();
    for (const std::string &shadow : reuse.frame.changed_shadows())
      reuse.violations.push_back(
          fmt::format("the augmented primal writes to {}, which is filled when it has returned", shadow));
    reuse.frame.poison_buffers();
    reuse.program.scramble();
    for (unsigned lane = 0; lane < reuse.request.combination.width; ++lane)
      for (std::size_t index = 0; index < reuse.frame.layout.parameters; ++index)
        if (is_duplicated(reuse.request.combination.arguments[index]))
          reuse.frame.assign(reuse.frame.layout.shadow(index, lane), reuse.request.shadows[lane][index]);
  }

  void end() {
    for (const std::string &buffer : frame.changed_buffers())
      violations.push_back(fmt::format(
          "the reverse sweep writes to {}, which may hold something else since the augmented primal returned", buffer));
  }
};

/// What the code did wrong in memory joins `violations`.
testutils::HeapUse call_watched(CallFrame &frame, jit::Entry entry, std::vector<std::string> &violations) {
  const jit::HeapWatch watch;
  frame.call(entry);
  jit::HeapReport report = watch.report();
  violations = frame.violations();
  std::ranges::move(report.damage, std::back_inserter(violations));
  return {report.blocks_left, report.bytes_left, std::move(report.faults)};
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

testutils::PrimalOutcome call_function(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                       const testutils::Arguments &inputs) {
  CallFrame frame(request, {inputs.size(), 0});
  frame.place_inputs(inputs);
  frame.place_result();
  program.reset();
  testutils::PrimalOutcome outcome;
  outcome.heap = call_watched(frame, entry, outcome.violations);
  outcome.result = frame.at(frame.layout.result());
  outcome.contents = frame.contents();
  return outcome;
}

testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative) {
  return call_derivative(request, program, entry, derivative,
                         [](const CallFrame &frame, std::size_t slot) { return frame.at(slot); });
}

testutils::DerivativeOutcome call_derivative(const CheckRequest &request, const jit::Program &program, jit::Entry entry,
                                             const testutils::DerivativeRequest &derivative, ReadSlot read) {
  const Combination &combination = derivative.combination;
  const bool returns = request.function.result.has_value();
  CallFrame frame(request, {derivative.inputs.size(), combination.width});
  frame.place_inputs(derivative.inputs, derivative.poisoned);
  place_shadows(frame, derivative);
  if (returns)
    place_results(frame, derivative);
  const bool is_split = combination.form == testutils::Form::split;
  Reuse reuse{frame, program, derivative, {}, {}};
  if (is_split)
    reuse.begin();
  program.reset();
  testutils::DerivativeOutcome outcome;
  outcome.heap = call_watched(frame, entry, outcome.violations);
  if (derivative_of(combination, derivative.primal, returns).primal == jit::PrimalResult::wanted)
    outcome.result = frame.at(frame.layout.result());
  outcome.contents = is_split ? std::move(reuse.contents) : frame.contents();
  for (unsigned lane = 0; lane < combination.width; ++lane) {
    const bool tangent = combination.mode == testutils::Mode::forward && is_duplicated(combination.result);
    outcome.result_tangents.push_back(tangent ? read(frame, frame.layout.result_tangent(lane)) : Values());
    testutils::Arguments shadows;
    for (std::size_t index = 0; index < derivative.inputs.size(); ++index)
      shadows.push_back(read(frame, frame.layout.shadow(index, lane)));
    outcome.shadows.push_back(std::move(shadows));
  }
  if (is_split) {
    reuse.end();
    std::ranges::move(reuse.violations, std::back_inserter(outcome.violations));
  }
  return outcome;
}

} // namespace assay::cli
