// The widened function (core/widen) of a JitSubject.

#include "cli/call_frame.hpp"
#include "cli/jit_subject.hpp"

namespace assay::cli {

namespace {

std::vector<testutils::NumberPlace> places_at(const CallFrame &frame, std::size_t slot, jit::Scalar type,
                                              std::size_t count) {
  std::vector<testutils::NumberPlace> places;
  for (std::size_t element = 0; element < count; ++element)
    places.push_back(
        {static_cast<const std::byte *>(frame.data(slot)) + element * jit::size_of(type), jit::size_of(type)});
  return places;
}

testutils::WidePlaces places_in(const CallFrame &frame, const testutils::Signature &signature) {
  testutils::WidePlaces places;
  if (signature.result_differentiable())
    places.result = places_at(frame, frame.layout.result(), frame.result_type(), 1);
  for (std::size_t index = 0; index < signature.parameters.size(); ++index)
    places.arguments.push_back(
        jit::is_real(frame.type(index))
            ? places_at(frame, frame.layout.parameter(index), frame.type(index), signature.parameters[index].size())
            : std::vector<testutils::NumberPlace>());
  return places;
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
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled)) {
    derivative.not_followed = {"the function: " + refusal->message};
  } else {
    const auto call = [&](const testutils::Arguments &at, FunctionRef<void(const testutils::WidePlaces &)> before,
                          FunctionRef<void(const testutils::WidePlaces &)> after) {
      CallFrame frame(request_, {at.size(), 0});
      frame.place_inputs(at);
      frame.place_result();
      program_.reset();
      before(places_in(frame, signature_));
      frame.call(std::get<jit::Entry>(compiled));
      after(places_in(frame, signature_));
    };
    derivative = testutils::wide_derivative(call, signature_, inputs, direction, wide_budget_);
  }
  if (after_precise)
    after_precise();
  return derivative;
}

} // namespace assay::cli
