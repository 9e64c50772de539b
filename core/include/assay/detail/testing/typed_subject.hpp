#pragma once
// A C++ function with its arguments as a Subject: it flattens, makes fresh copies for every call, and calls
// derivatives.

#include <assay/detail/testing/derivative_run.hpp>
#include <assay/detail/testing/typed_derivative.hpp>
#include <assay/detail/testing/typed_signature.hpp>
#include <assay/testing/compiled_subject.hpp>
#include <assay/testing/options.hpp>

#include <functional>

namespace assay::detail {

using PreciseFunction = std::function<std::optional<testutils::PreciseDerivative>(
    const testutils::Arguments &inputs, const testutils::Arguments &direction)>;

/// File belongs to one translation unit.
template <class File, class F, class R, class... Models>
class TypedSubject : public testutils::CompiledSubject {
  static constexpr bool needs_bridge = (!std::is_same_v<typename Models::Stored, typename Models::Given> || ...);
  using Callable = std::conditional_t<needs_bridge, Bridge<F, R, Models...>, F>;
  using Result = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cvref_t<R>>;
  using Call = TypedCall<Models...>;
  using Frame = DerivativeFrame<Callable, Result, Models...>;
  using Derivatives = DerivativeRun<File, R, Frame, Models...>;
  using Entry = WideEntry<File, Callable, Result, typename Models::Stored...>;

public:
  template <class... C>
  TypedSubject(Menu<C...>, F function, testutils::SubjectNames subject_names,
               const typename Models::Given &...arguments)
      : CompiledSubject(std::move(subject_names), Menu<C...>::rows), callable(bridged(std::move(function))),
        originals(Models::original(arguments)...), derivatives(&Derivatives::template pick<C...>) {
    Call call(originals);
    description.parameters = parameters_of_arguments(names.arguments, call);
    if constexpr (!std::is_void_v<R>)
      description.result = parameter_of_result(result_at(call));
  }

  /// The given arguments as a point.
  testutils::Arguments given() const { return Call(originals).contents(); }

  /// Not empty: the function's derivative in higher precision.
  PreciseFunction precise;

  /// From now on the precise derivative is that of the function that the plugin widened, if there is one.
  void use_wide_arithmetic() { widened = Entry::widened(); }
  /// From now on there are the function and the derivatives of the menu in wide arithmetic, where the plugin wrote
  /// them.
  template <class... C>
  void use_wide_derivatives(Menu<C...>) {
    corrected = Entry::corrected();
    offer_corrected(Menu<C...>::rows);
    corrected_derivatives = reinterpret_cast<DerivativeCode<Frame>>(
        __assay_corrected(reinterpret_cast<void *>(&Derivatives::template pick<C...>)));
  }

  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override {
    Callable function = callable;
    testutils::PrimalOutcome outcome = outcome_of(function, inputs);
    state_after_call = state_of(function);
    return outcome;
  }
  testutils::PrimalOutcome evaluate_apart(const testutils::Arguments &inputs) const override {
    Callable function = callable;
    return outcome_of(function, inputs);
  }

  testutils::DerivativeOutcome differentiate_around(const testutils::DerivativeRequest &request,
                                                    const std::function<void()> &between) override {
    const unsigned offer = offer_of(request.combination);
    TypedDerivative<Frame> derivative(request, originals, callable, result_shape(request));
    derivative.run(derivatives, offer, &between);
    return derivative.outcome(state_after_call);
  }

  std::optional<testutils::WideOutcome> differentiate_in_wide(const testutils::DerivativeRequest &request) override {
    const std::optional<CorrectedOffer> offer = corrected_offer_of(request.combination);
    if (!corrected_derivatives || !offer)
      return std::nullopt;
    const auto corrected_lane = [&](const testutils::DerivativeRequest &lane) { return in_wide(lane, offer->index); };
    return testutils::outcome_by_lanes(request, offer->combination, corrected_lane);
  }

  std::optional<testutils::PreciseDerivative> precise_derivative(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override {
    if (widened)
      return derive_by(widened, testutils::wide_derivative, inputs, direction);
    return precise ? precise(inputs, direction) : std::nullopt;
  }

  std::optional<testutils::PreciseDerivative> derivative_in_wide(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override {
    return corrected ? std::optional(derive_by(corrected, testutils::corrected_derivative, inputs, direction))
                     : std::nullopt;
  }

private:
  testutils::PrimalOutcome outcome_of(Callable &function, const testutils::Arguments &inputs) const {
    Call call(originals);
    call.load(inputs);
    testutils::PrimalOutcome outcome;
    outcome.result = flatten(result_of(function, call.views()));
    outcome.contents = call.contents();
    require_shape(outcome);
    call.note_broken_guards(outcome.violations, "span");
    return outcome;
  }

  testutils::WideOutcome in_wide(const testutils::DerivativeRequest &request, unsigned offer) {
    return testutils::corrected_outcome(
        [&](testutils::UseDerivative use) {
          TypedDerivative<Frame> derivative(request, originals, callable, result_shape(request));
          derivative.run(corrected_derivatives, offer);
          use(derivative.outcome(state_after_call), derivative.places());
        },
        wide_budget);
  }

  [[gnu::noinline]] testutils::PreciseDerivative derive_by(typename Entry::Run *code, testutils::DeriveInWide derive,
                                                           const testutils::Arguments &inputs,
                                                           const testutils::Arguments &direction) {
    using Use = FunctionRef<void(const testutils::WidePlaces &)>;
    const auto call_at = [&](const testutils::Arguments &at, Use before, Use after) {
      Call call(originals);
      call.load(at);
      Callable function = callable;
      Result result{};
      before({{}, places_of_arguments(call)});
      run_by(code, {function, result, call.views()});
      after({places_of_result(result), places_of_arguments(call)});
    };
    return derive(call_at, description, inputs, direction, wide_budget);
  }

  static void run_by(typename Entry::Run *code, Entry entry) {
    try {
      entry.run_by(code);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
  }

  static Callable bridged(F function) {
    if constexpr (needs_bridge)
      return {std::move(function)};
    else
      return function;
  }

  [[gnu::noinline]] static Result result_of(Callable &function, typename Call::Views views) {
    try {
      return std::apply(
          [&](auto &...arguments) -> Result {
            if constexpr (std::is_void_v<R>) {
              function(arguments...);
              return {};
            } else {
              return function(arguments...);
            }
          },
          views);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
  }

  /// The result of a copy of the function.
  Result result_at(Call &call) const {
    Callable function = callable;
    return result_of(function, call.views());
  }

  // Memory for the result has its size before the call.
  [[gnu::noinline]] Result result_shape(const testutils::DerivativeRequest &request) const {
    if constexpr (!is_in_memory<Result>) {
      return {};
    } else {
      if (request.combination.result == testutils::Activity::constant)
        return {};
      Call call(originals);
      return result_at(call);
    }
  }

  Callable callable;
  typename Call::Originals originals;
  DerivativeCode<Frame> derivatives, corrected_derivatives = nullptr;
  typename Entry::Run *widened = nullptr, *corrected = nullptr;
  CallableState state_after_call;
  testutils::WideBudget wide_budget;
};

} // namespace assay::detail
