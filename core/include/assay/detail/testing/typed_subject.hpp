#pragma once
// A C++ function with its arguments as a Subject: it flattens, makes fresh copies for every call, and calls
// derivatives.

#include <assay/detail/testing/derivative_call.hpp>
#include <assay/testing/options.hpp>

#include <exception>
#include <utility>

namespace assay::detail {

/// What the check is told about a function besides its types.
struct SubjectNames {
  std::string function;
  std::vector<std::string> arguments; ///< Missing ones are x1, x2, ...
  std::string replay_suffix;          ///< The replay command is ASSAY_SEED=... and this.
};

/// File belongs to one translation unit.
template <class File, class F, class R, bool RuntimeActivity, class OfferedMenu, class... Models>
class TypedSubject : public testutils::Subject {
  static constexpr bool needs_bridge = (!std::is_same_v<typename Models::Stored, typename Models::Given> || ...);
  using Callable = std::conditional_t<needs_bridge, Bridge<F, R, Models...>, F>;
  using Result = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cvref_t<R>>;
  using Positions = std::index_sequence_for<Models...>;

  /// Fresh memory for one call.
  struct Call {
    std::tuple<Copy<typename Models::Stored>...> copies;
    explicit Call(const std::tuple<typename Models::Stored...> &originals) : Call(originals, Positions()) {}
    template <std::size_t... I>
    Call(const std::tuple<typename Models::Stored...> &originals, std::index_sequence<I...>)
        : copies(std::get<I>(originals)...) {}

    void load(const testutils::Arguments &flat) { load(flat, Positions()); }
    template <std::size_t... I>
    void load(const testutils::Arguments &flat, std::index_sequence<I...>) {
      (fill(std::get<I>(copies), flat[I]), ...);
    }
    auto views() { return views(Positions()); }
    template <std::size_t... I>
    auto views(std::index_sequence<I...>) {
      return std::tuple<typename Models::Stored &...>(std::get<I>(copies).view()...);
    }
    testutils::Arguments contents() { return contents(Positions()); }
    template <std::size_t... I>
    testutils::Arguments contents(std::index_sequence<I...>) {
      return {flatten(std::get<I>(copies).view())...};
    }
    void note_broken_guards(std::vector<std::string> &violations, const std::string &what) const {
      if (!std::apply([](const auto &...copy) { return (copy.guards_intact() && ...); }, copies))
        violations.push_back("memory beyond the end of a " + what + " was written");
    }
  };

public:
  TypedSubject(F function, SubjectNames subject_names, typename Models::Given... arguments)
      : callable(bridged(std::move(function))), originals(Models::stored(arguments)...),
        names(std::move(subject_names)) {
    describe_arguments(Positions());
    if constexpr (!std::is_void_v<R>)
      describe_result();
  }

  const testutils::Signature &signature() const override { return description; }
  bool supports(const testutils::Combination &combination) const override { return offers(OfferedMenu{}, combination); }
  std::string replay_command(std::uint64_t seed) const override {
    return names.replay_suffix.empty() ? "" : "ASSAY_SEED=" + std::to_string(seed) + " " + names.replay_suffix;
  }

  /// The given arguments as a point.
  testutils::Arguments given() const { return Call(originals).contents(); }

  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override {
    Call call(originals);
    call.load(inputs);
    Callable function = callable;
    testutils::PrimalOutcome outcome;
    outcome.result = flatten(result_of(function, call.views()));
    outcome.contents = call.contents();
    call.note_broken_guards(outcome.violations, "span");
    bytes_after_call = bytes_of(function);
    return outcome;
  }

  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request) override {
    testutils::DerivativeOutcome outcome;
    const bool found = pick(request, outcome, OfferedMenu{});
    if (!found)
      throw testutils::SubjectError("this test has no code for " +
                                    testutils::describe(description, request.combination));
    return outcome;
  }

private:
  static Callable bridged(F function) {
    if constexpr (needs_bridge)
      return {std::move(function)};
    else
      return function;
  }

  static Result result_of(Callable &function, auto views) {
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

  template <std::size_t... I>
  void describe_arguments(std::index_sequence<I...>) {
    description.function = names.function;
    Call call(originals);
    (describe_argument<Models>(I, std::get<I>(call.copies).view()), ...);
  }

  template <class Model>
  void describe_argument(std::size_t index, const typename Model::Stored &stored) {
    testutils::Parameter parameter;
    parameter.name = index < names.arguments.size() ? names.arguments[index] : "x" + std::to_string(index + 1);
    parameter.element = element_type_of<typename Model::Given>();
    parameter.passing = Model::in_memory ? testutils::Passing::buffer : testutils::Passing::value;
    if constexpr (!std::is_arithmetic_v<typename Model::Given>)
      parameter.extents = extents_of(stored);
    parameter.element_paths = paths_of(stored, parameter.name);
    parameter.constant_only = !Model::differentiable;
    description.parameters.push_back(std::move(parameter));
  }

  void describe_result() {
    Callable function = callable;
    Call call(originals);
    const Result result = result_of(function, call.views());
    testutils::Parameter parameter;
    parameter.name = "result";
    parameter.element = element_type_of<Result>();
    parameter.extents = extents_of(result);
    parameter.element_paths = paths_of(result, parameter.name);
    parameter.constant_only = !is_differentiable<Result>;
    description.result = std::move(parameter);
  }

  template <class... C>
  bool pick(const testutils::DerivativeRequest &request, testutils::DerivativeOutcome &outcome, Menu<C...>) {
    return ((C::is(request.combination) && (run<C>(request, outcome), true)) || ...);
  }

  template <class C>
  void run(const testutils::DerivativeRequest &request, testutils::DerivativeOutcome &outcome) {
    Call call(originals), shadow(originals);
    call.load(request.inputs);
    shadow.load(request.shadows.front());
    auto values = call.views();
    auto shadows = shadow.views();
    Callable function = callable;
    testutils::Arguments adjoints(sizeof...(Models));
    try {
      if constexpr (C::mode == testutils::Mode::forward)
        take_tangents<C>(call_forward<C, RuntimeActivity, R>(function, values, shadows, Positions()), outcome);
      else
        run_reverse<C>(request, function, values, shadows, adjoints, outcome);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
    outcome.contents = call.contents();
    outcome.shadows.push_back(shadow.contents());
    for (std::size_t index = 0; index < sizeof...(Models); ++index) {
      if (C::arguments[index] == testutils::Activity::constant)
        outcome.shadows.back()[index].clear();
      else if (C::arguments[index] == testutils::Activity::active)
        outcome.shadows.back()[index] = adjoints[index];
    }
    call.note_broken_guards(outcome.violations, "span");
    shadow.note_broken_guards(outcome.violations, "shadow");
    if (bytes_of(function) != bytes_after_call)
      outcome.violations.push_back("the captures of the function are not what a call leaves there");
  }

  template <class C>
  static void take_tangents(const auto &result, testutils::DerivativeOutcome &outcome) {
    if constexpr (C::result == testutils::Activity::duplicated)
      outcome.result = flatten(result.primal);
    if constexpr (C::result != testutils::Activity::constant)
      outcome.result_tangents.push_back(flatten(result.derivative));
  }

  template <std::size_t Skipped, class C>
  static void take_adjoints(const auto &gradient, testutils::Arguments &adjoints) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((C::arguments[I] == testutils::Activity::active
            ? (void)(adjoints[I] = adjoint_of(std::get<I + Skipped>(gradient)))
            : (void)0),
       ...);
    }(Positions());
  }
  template <class T>
  static testutils::Values adjoint_of(const T &adjoint) {
    if constexpr (is_flat<T>)
      return flatten(adjoint);
    else
      return {};
  }

  template <class C>
  void run_reverse(const testutils::DerivativeRequest &request, Callable &function, auto &values, auto &shadows,
                   testutils::Arguments &adjoints, testutils::DerivativeOutcome &outcome) {
    if constexpr (C::result == testutils::Activity::constant) {
      take_adjoints<0, C>(call_reverse<C, RuntimeActivity, R>(function, values, shadows, Positions()).gradient,
                          adjoints);
    } else {
      const testutils::Values &seed = request.result_seeds.front();
      if constexpr (std::floating_point<Result>) {
        if (seed.front() == 1) {
          const auto result = call_reverse<C, RuntimeActivity, R>(function, values, shadows, Positions());
          take_adjoints<0, C>(result.gradient, adjoints);
          outcome.result = flatten(result.primal);
          return;
        }
      }
      Result stored = result_shape(), stored_seed = stored;
      unflatten(seed, stored_seed);
      take_adjoints<2, C>(
          call_reverse_seeded<C, RuntimeActivity, Result>(function, stored, stored_seed, values, shadows, Positions())
              .gradient,
          adjoints);
      outcome.result = flatten(stored);
    }
  }

  Result result_shape() {
    if constexpr (std::floating_point<Result>) {
      return 0;
    } else {
      Callable function = callable;
      Call call(originals);
      return result_of(function, call.views());
    }
  }

  Callable callable;
  std::tuple<typename Models::Stored...> originals;
  SubjectNames names;
  testutils::Signature description;
  std::vector<unsigned char> bytes_after_call;
};

} // namespace assay::detail
