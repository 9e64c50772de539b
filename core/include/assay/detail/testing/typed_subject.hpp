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
template <class File, class F, class R, bool RuntimeActivity, class... Models>
class TypedSubject : public testutils::Subject {
  static constexpr bool needs_bridge = (!std::is_same_v<typename Models::Stored, typename Models::Given> || ...);
  using Callable = std::conditional_t<needs_bridge, Bridge<F, R, Models...>, F>;
  using Result = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cvref_t<R>>;
  using Positions = std::index_sequence_for<Models...>;
  using Views = std::tuple<typename Models::Stored &...>;
  using Originals = std::tuple<Original<typename Models::Stored>...>;

  // What is not the call of a derivative itself stays out of line: it is compiled once, not once for each combination.

  /// Fresh memory for one call.
  struct Call {
    std::tuple<Copy<typename Models::Stored>...> copies;
    [[gnu::noinline]] explicit Call(const Originals &originals) : Call(originals, Positions()) {}
    template <std::size_t... I>
    Call(const Originals &originals, std::index_sequence<I...>) : copies(std::get<I>(originals).get()...) {}

    [[gnu::noinline]] void load(const testutils::Arguments &flat) { load(flat, Positions()); }
    template <std::size_t... I>
    void load(const testutils::Arguments &flat, std::index_sequence<I...>) {
      (fill(std::get<I>(copies), flat[I]), ...);
    }
    /// A shadow is zero where the value cannot vary.
    [[gnu::noinline]] void forget_constants() {
      std::apply([](auto &...copy) { (forget_constants_of(copy.view()), ...); }, copies);
    }
    template <class T>
    static void forget_constants_of(T &value) {
      if constexpr (is_differentiable<T>)
        zero_constants(value);
    }
    auto views() { return views(Positions()); }
    template <std::size_t... I>
    auto views(std::index_sequence<I...>) {
      return Views(std::get<I>(copies).view()...);
    }
    [[gnu::noinline]] testutils::Arguments contents() { return contents(Positions()); }
    template <std::size_t... I>
    testutils::Arguments contents(std::index_sequence<I...>) {
      return {flatten(std::get<I>(copies).view())...};
    }
    [[gnu::noinline]] void note_broken_guards(std::vector<std::string> &violations, const std::string &what) const {
      if (!std::apply([](const auto &...copy) { return (copy.guards_intact() && ...); }, copies))
        violations.push_back("memory beyond the end of a " + what + " was written");
    }
  };

  /// One call of a derivative, and what it gives besides memory.
  struct Frame {
    Callable &function;
    Views values;
    Views shadows;
    const testutils::Values &seed;
    Result &stored_result;
    Result &stored_seed;
    testutils::Arguments &adjoints;
    testutils::DerivativeOutcome &outcome;
  };

public:
  template <class... C>
  TypedSubject(Menu<C...>, F function, SubjectNames subject_names, const typename Models::Given &...arguments)
      : callable(bridged(std::move(function))), originals(Models::original(arguments)...),
        names(std::move(subject_names)), offers{C::value()...}, run_at(&pick<C...>) {
    describe_arguments(Positions());
    if constexpr (!std::is_void_v<R>)
      describe_result();
  }

  const testutils::Signature &signature() const override { return description; }
  bool supports(const testutils::Combination &combination) const override { return find(combination).has_value(); }
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
    const std::optional<unsigned> offer = find(request.combination);
    if (!offer)
      throw testutils::SubjectError("this test has no code for " +
                                    testutils::describe(description, request.combination));
    Call call(originals), shadow(originals);
    call.load(request.inputs);
    shadow.load(request.shadows.front());
    shadow.forget_constants();
    Callable function = callable;
    Result stored_result = result_shape(request), stored_seed = stored_result;
    unflatten(request.result_seeds.front(), stored_seed);
    testutils::DerivativeOutcome outcome;
    testutils::Arguments adjoints(sizeof...(Models));
    Frame frame{function,      call.views(), shadow.views(), request.result_seeds.front(),
                stored_result, stored_seed,  adjoints,       outcome};
    try {
      run_at(*offer, frame);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
    outcome.contents = call.contents();
    outcome.shadows.push_back(shadow.contents());
    keep_asked(request.combination, adjoints, outcome.shadows.back());
    call.note_broken_guards(outcome.violations, "span");
    shadow.note_broken_guards(outcome.violations, "shadow");
    if (bytes_of(function) != bytes_after_call)
      outcome.violations.push_back("the captures of the function are not what a call leaves there");
    return outcome;
  }

private:
  static Callable bridged(F function) {
    if constexpr (needs_bridge)
      return {std::move(function)};
    else
      return function;
  }

  [[gnu::noinline]] static Result result_of(Callable &function, Views views) {
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
    parameter.element_types = element_types_of(stored);
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
    parameter.element_types = element_types_of(result);
    parameter.constant_only = !is_differentiable_result<Result>;
    description.result = std::move(parameter);
  }

  std::optional<unsigned> find(const testutils::Combination &combination) const {
    const auto found = std::find(offers.begin(), offers.end(), combination);
    return found == offers.end() ? std::nullopt : std::optional(static_cast<unsigned>(found - offers.begin()));
  }

  // One function for all combinations: a derivative that calls through a pointer considers every function of a fitting
  // type.
  template <class... C>
  static unsigned pick(unsigned index, Frame &frame) {
    unsigned position = 0;
    (void)((position++ == index && (run<C>(frame), true)) || ...);
    return position;
  }

  // Shadows of constant arguments mean nothing; the adjoint of an active one was returned.
  static void keep_asked(const testutils::Combination &combination, const testutils::Arguments &adjoints,
                         testutils::Arguments &shadows) {
    for (std::size_t index = 0; index < shadows.size(); ++index) {
      if (combination.arguments[index] == testutils::Activity::constant)
        shadows[index].clear();
      else if (combination.arguments[index] == testutils::Activity::active)
        shadows[index] = adjoints[index];
    }
  }

  template <class T>
  [[gnu::noinline]] static testutils::Values numbers_of(const T &value) {
    return flatten(value);
  }

  template <class C>
  static void run(Frame &frame) {
    if constexpr (C::mode == testutils::Mode::forward) {
      const auto result = call_forward<C, RuntimeActivity, R>(frame.function, frame.values, frame.shadows, Positions());
      if constexpr (C::result == testutils::Activity::duplicated)
        frame.outcome.result = numbers_of(result.primal);
      if constexpr (C::result != testutils::Activity::constant)
        frame.outcome.result_tangents.push_back(numbers_of(result.derivative));
    } else if constexpr (C::result == testutils::Activity::constant) {
      const auto result = call_reverse<C, RuntimeActivity, R>(frame.function, frame.values, frame.shadows, Positions());
      take_adjoints<1, C>(result.gradient, frame.adjoints);
    } else {
      if constexpr (std::floating_point<Result>) {
        if (frame.seed.front() == 1) {
          const auto result =
              call_reverse<C, RuntimeActivity, R>(frame.function, frame.values, frame.shadows, Positions());
          take_adjoints<1, C>(result.gradient, frame.adjoints);
          frame.outcome.result = numbers_of(result.primal);
          return;
        }
      }
      const auto result = call_reverse_seeded<C, RuntimeActivity, Result>(
          frame.function, frame.stored_result, frame.stored_seed, frame.values, frame.shadows, Positions());
      take_adjoints<2, C>(result.gradient, frame.adjoints);
      frame.outcome.result = numbers_of(frame.stored_result);
    }
  }

  template <std::size_t Skipped, class C>
  static void take_adjoints(const auto &gradient, testutils::Arguments &adjoints) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take_adjoint<C::arguments[I]>(std::get<I + Skipped>(gradient), adjoints[I]), ...);
    }(Positions());
  }
  template <testutils::Activity A>
  static void take_adjoint(const auto &adjoint, testutils::Values &into) {
    if constexpr (A == testutils::Activity::active)
      into = numbers_of(adjoint);
  }

  // Memory for the result has its size before the call.
  [[gnu::noinline]] Result result_shape(const testutils::DerivativeRequest &request) {
    if constexpr (!is_in_memory<Result>) {
      return {};
    } else {
      if (request.result_seeds.front().empty())
        return {};
      Callable function = callable;
      Call call(originals);
      return result_of(function, call.views());
    }
  }

  Callable callable;
  Originals originals;
  SubjectNames names;
  std::vector<testutils::Combination> offers;
  unsigned (*run_at)(unsigned index, Frame &);
  testutils::Signature description;
  std::vector<unsigned char> bytes_after_call;
};

} // namespace assay::detail
