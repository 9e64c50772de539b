// The widened function and the widened derivatives (core/widen) of a JitSubject.

#include "cli/call_frame.hpp"
#include "cli/derivative_call.hpp"
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

jit::Scalar type_at(const CallFrame &frame, std::size_t slot) {
  return slot < frame.layout.result() ? frame.type(slot % frame.layout.parameters) : frame.result_type();
}

std::vector<testutils::NumberPlace> places_in_slot(const CallFrame &frame, std::size_t slot, std::size_t count) {
  return count != 0 && jit::is_real(type_at(frame, slot)) ? places_at(frame, slot, type_at(frame, slot), count)
                                                          : std::vector<testutils::NumberPlace>();
}

testutils::DerivativePlaces places_of(const testutils::DerivativeOutcome &outcome, const CallFrame &frame) {
  testutils::DerivativePlaces places;
  for (unsigned lane = 0; lane < frame.layout.width; ++lane) {
    places.result_tangents.push_back(
        places_in_slot(frame, frame.layout.result_tangent(lane), outcome.result_tangents[lane].size()));
    std::vector<std::vector<testutils::NumberPlace>> &shadows = places.shadows.emplace_back();
    for (std::size_t index = 0; index < outcome.shadows[lane].size(); ++index)
      shadows.push_back(places_in_slot(frame, frame.layout.shadow(index, lane), outcome.shadows[lane][index].size()));
  }
  return places;
}

/// A crash between the two belongs to wide arithmetic.
struct Announced {
  explicit Announced(const JitSubject &subject) : subject(subject) {
    if (subject.before_precise)
      subject.before_precise();
  }
  ~Announced() {
    if (subject.after_precise)
      subject.after_precise();
  }
  Announced(const Announced &) = delete;
  Announced &operator=(const Announced &) = delete;

  const JitSubject &subject;
};

testutils::PreciseDerivative not_followed(std::string reason) {
  testutils::PreciseDerivative derivative;
  derivative.not_followed = {std::move(reason)};
  return derivative;
}

} // namespace

testutils::PreciseDerivative JitSubject::derive(const CompiledForWide &compiled, testutils::DeriveInWide derive,
                                                const testutils::Arguments &inputs,
                                                const testutils::Arguments &direction) {
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    return not_followed("the function: " + refusal->message);
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
  return derive(call, signature_, inputs, direction, wide_budget_);
}

std::optional<testutils::PreciseDerivative> JitSubject::precise_derivative(const testutils::Arguments &inputs,
                                                                           const testutils::Arguments &direction) {
  if (!no_precise.empty())
    return not_followed(no_precise);
  const Announced announced(*this);
  return derive(program_.widened(), testutils::wide_derivative, inputs, direction);
}

std::optional<testutils::PreciseDerivative> JitSubject::derivative_in_wide(const testutils::Arguments &inputs,
                                                                           const testutils::Arguments &direction) {
  if (!no_precise.empty())
    return not_followed(no_precise);
  const Announced announced(*this);
  return derive(program_.corrected(), testutils::corrected_derivative, inputs, direction);
}

std::optional<testutils::WideOutcome> JitSubject::differentiate_in_wide(const testutils::DerivativeRequest &request) {
  if (!no_precise.empty())
    return std::nullopt;
  const Announced announced(*this);
  const auto compiled =
      program_.corrected(derivative_of(request.combination, request.primal, signature_.result.has_value()));
  if (const auto *refusal = std::get_if<jit::NoDerivative>(&compiled))
    return testutils::WideOutcome{{}, {}, 0, {refusal->message}, {}};
  return testutils::corrected_outcome(
      [&](testutils::UseDerivative use) {
        DerivativeCall call(request_, program_, std::get<jit::Entry>(compiled), request);
        program_.reset();
        call.run();
        const testutils::DerivativeOutcome outcome = call.outcome();
        use(outcome, places_of(outcome, call.frame()));
      },
      wide_budget_);
}

} // namespace assay::cli
