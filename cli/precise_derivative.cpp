// Differences of the widened function (core/widen), for JitSubject.

#include "cli/call_frame.hpp"
#include "cli/jit_subject.hpp"
#include "core/widen/difference.hpp"
#include "core/widen/run.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cli {

namespace {

/// Runs the widened function with moved inputs.
class WidenedCall {
public:
  WidenedCall(CallFrame &frame, const testutils::Signature &signature) : frame_(frame), signature_(signature) {}

  void move(widen::Run &run, const testutils::Arguments &direction, widen::Wide step) const {
    for (std::size_t index = 0; index < direction.size(); ++index)
      for (std::size_t element = 0; element < direction[index].size(); ++element)
        run.move(address(frame_.layout.parameter(index), frame_.type(index), element), jit::size_of(frame_.type(index)),
                 step * direction[index][element]);
  }

  /// The result, then all differentiable elements of all arguments.
  std::vector<widen::Wide> movements(widen::Run &run) const {
    std::vector<widen::Wide> all;
    if (signature_.result_differentiable())
      all.push_back(run.movement(frame_.data(frame_.layout.result()), jit::size_of(frame_.result_type())));
    for (std::size_t index = 0; index < signature_.parameters.size(); ++index)
      for (std::size_t element = 0; element < elements_of(index); ++element)
        all.push_back(run.movement(address(frame_.layout.parameter(index), frame_.type(index), element),
                                   jit::size_of(frame_.type(index))));
    return all;
  }

private:
  std::size_t elements_of(std::size_t parameter) const {
    return jit::is_real(frame_.type(parameter)) ? signature_.parameters[parameter].size() : 0;
  }

  const void *address(std::size_t slot, jit::Scalar type, std::size_t element) const {
    return static_cast<const std::byte *>(frame_.data(slot)) + element * jit::size_of(type);
  }

  CallFrame &frame_;
  const testutils::Signature &signature_;
};

std::size_t count_outputs(const testutils::Signature &signature) {
  std::size_t count = signature.result_differentiable() ? 1 : 0;
  for (const testutils::Parameter &parameter : signature.parameters)
    if (parameter.element != testutils::ElementType::integer)
      count += parameter.size();
  return count;
}

testutils::PreciseDerivative::Number number_of(const widen::Estimate &estimate) {
  const bool known = estimate.trouble == widen::Trouble::none;
  return {estimate.value, estimate.error, 2 * estimate.step, known};
}

} // namespace

std::optional<testutils::PreciseDerivative> JitSubject::precise_derivative(const testutils::Arguments &inputs,
                                                                           const testutils::Arguments &direction) {
  testutils::PreciseDerivative derivative;
  if (!no_precise.empty()) {
    derivative.not_followed = {no_precise};
    return derivative;
  }
  if (before_precise)
    before_precise();
  const auto compiled = program_.widened();
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    derivative.not_followed = {"the function: " + refusal->message};
  else
    differentiate_widened(std::get<jit::Entry>(compiled), inputs, direction, derivative);
  if (after_precise)
    after_precise();
  return derivative;
}

void JitSubject::differentiate_widened(jit::Entry entry, const testutils::Arguments &inputs,
                                       const testutils::Arguments &direction,
                                       testutils::PreciseDerivative &derivative) {
  const auto react = [&](widen::Wide step) {
    CallFrame frame(request_, {inputs.size(), 0});
    frame.place_inputs(inputs);
    frame.place_result();
    const WidenedCall call(frame, signature_);
    program_.reset();
    widen::Run run(std::min(operations_left_, widen::Run::usual_limit));
    call.move(run, direction, step);
    frame.call(entry);
    derivative.roundoff = std::max(derivative.roundoff, std::ldexp(1, -static_cast<int>(run.fewest_bits)));
    operations_left_ -= std::min(operations_left_, run.operations());
    return widen::Reaction{call.movements(run), run.losses(), run.crossings(), run.kinks()};
  };
  const widen::Difference difference =
      widen::differentiate(react, count_outputs(signature_), testutils::size_along(inputs, direction));
  derivative.not_followed = difference.losses;
  derivative.crossings = difference.crossings;
  auto next = difference.outputs.begin();
  if (signature_.result_differentiable())
    derivative.result.push_back(number_of(*next++));
  for (std::size_t index = 0; index < signature_.parameters.size(); ++index) {
    derivative.contents.emplace_back();
    for (std::size_t element = 0; element < signature_.parameters[index].size(); ++element)
      derivative.contents.back().push_back(signature_.parameters[index].element == testutils::ElementType::integer
                                               ? testutils::PreciseDerivative::Number{}
                                               : number_of(*next++));
  }
}

} // namespace assay::cli
