#pragma once
// A call of a typed derivative, from flat numbers to flat numbers.

#include <assay/detail/testing/split_sweeps.hpp>
#include <assay/detail/testing/wide_entry.hpp>

#include <exception>
#include <optional>

namespace assay::detail {

/// The code of all derivatives of a subject; `index` says which.
template <class Frame>
using DerivativeCode = unsigned (*)(unsigned index, Frame &frame);

template <class Frame>
class TypedDerivative;
template <class F, class R, class... Models>
class TypedDerivative<DerivativeFrame<F, R, Models...>> {
  using Frame = DerivativeFrame<F, R, Models...>;
  using Call = TypedCall<Models...>;

public:
  /// All of these must outlive it. `shape`: memory for the result has its size before the call.
  TypedDerivative(const testutils::DerivativeRequest &request, const typename Call::Originals &originals,
                  const F &callable, const R &shape)
      : call(originals), function(callable), frame{request, function, call, call.views(), {}, shape, {}, {}} {
    call.load(request.inputs);
    call.poison(request.poisoned, Call::Role::primal);
    for (unsigned lane = 0; lane < request.combination.width; ++lane) {
      add_shadow(originals, request.shadows[lane]);
      frame.result_shadows.push_back(shape);
      unflatten(request.result_seeds[lane], frame.result_shadows.back());
    }
  }
  TypedDerivative(const TypedDerivative &) = delete;

  /// With `aside` called between the sweeps of the split form.
  void run(DerivativeCode<Frame> code, unsigned index, const std::function<void()> *aside = nullptr) {
    frame.aside = aside;
    try {
      std::optional<SplitSweeps<Frame>> sweeps;
      if (is_split())
        sweeps.emplace(frame);
      code(index, frame);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
  }

  /// After `run`.
  testutils::DerivativeOutcome outcome(const CallableState &state_after_call) {
    if (!is_split()) { // There the memory means nothing any more.
      frame.take_results();
      frame.outcome.contents = call.contents();
    }
    for (Call &shadow : shadows) {
      frame.outcome.shadows.push_back(shadow.contents());
      keep_asked(frame.outcome.shadows.back());
      shadow.note_broken_guards(frame.outcome.violations, "shadow");
    }
    call.note_broken_guards(frame.outcome.violations, "span");
    if (state_of(function) != state_after_call)
      frame.outcome.violations.push_back("the captures of the function are not as a call leaves them");
    return frame.outcome;
  }

  /// Where the derivatives are.
  testutils::DerivativePlaces places() {
    testutils::DerivativePlaces places;
    for (R &tangent : frame.result_shadows)
      places.result_tangents.push_back(places_of_result(tangent));
    for (Call &shadow : shadows)
      places.shadows.push_back(places_of_arguments(shadow));
    return places;
  }

private:
  bool is_split() const { return frame.request.combination.form == testutils::Form::split; }

  void add_shadow(const typename Call::Originals &originals, const testutils::Arguments &numbers) {
    Call &shadow = shadows.emplace_back(originals);
    shadow.load(numbers);
    shadow.forget_constants();
    shadow.poison(frame.request.poisoned, Call::Role::shadow);
    frame.shadows.push_back(shadow.views());
  }

  /// Shadows of constant arguments mean nothing.
  void keep_asked(testutils::Arguments &numbers) const {
    for (std::size_t index = 0; index < numbers.size(); ++index)
      if (frame.request.combination.arguments[index] == testutils::Activity::constant)
        numbers[index].clear();
  }

  Call call;
  std::deque<Call> shadows;
  F function;
  Frame frame;
};

} // namespace assay::detail
