#pragma once
// A C++ function with its arguments as a Subject: it flattens, makes fresh copies for every call, and calls
// derivatives.

#include <assay/detail/testing/form_call.hpp>
#include <assay/detail/testing/poison.hpp>
#include <assay/detail/testing/scramble.hpp>
#include <assay/detail/testing/wide_entry.hpp>
#include <assay/testing/options.hpp>

#include <deque>
#include <exception>
#include <functional>
#include <utility>

namespace assay::detail {

/// What the check is told about a function besides its types.
struct SubjectNames {
  std::string function;
  std::vector<std::string> arguments; ///< Missing ones are x1, x2, ...
  std::string replay_suffix;          ///< The replay command is ASSAY_SEED=... and this.
};

using PreciseFunction = std::function<std::optional<testutils::PreciseDerivative>(
    const testutils::Arguments &inputs, const testutils::Arguments &direction)>;

/// File belongs to one translation unit.
template <class File, class F, class R, class... Models>
class TypedSubject : public testutils::Subject {
  static constexpr bool needs_bridge = (!std::is_same_v<typename Models::Stored, typename Models::Given> || ...);
  using Callable = std::conditional_t<needs_bridge, Bridge<F, R, Models...>, F>;
  using Result = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cvref_t<R>>;
  using Positions = std::index_sequence_for<Models...>;
  using Views = std::tuple<typename Models::Stored &...>;
  using Originals = std::tuple<Original<typename Models::Stored>...>;

  // What is not the call of a derivative itself stays out of line: it is compiled once, not once for each combination.

  enum class Role : std::uint8_t { primal, shadow };

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
    /// Of the arguments that are chosen, what nobody may look at.
    [[gnu::noinline]] void poison(const std::vector<bool> &chosen, Role role) {
      if (!chosen.empty())
        poison(chosen, role, Positions());
    }
    template <std::size_t... I>
    void poison(const std::vector<bool> &chosen, Role role, std::index_sequence<I...>) {
      (poison_one(std::get<I>(copies), chosen[I], role), ...);
    }
    template <class Copied>
    static void poison_one(Copied &copy, bool is_chosen, Role role) {
      if (!is_chosen)
        return;
      poison_padding(copy.view());
      if (role == Role::shadow)
        poison_integers(copy.view());
      copy.poison_guards();
    }
    [[gnu::noinline]] void note_broken_guards(std::vector<std::string> &violations, const std::string &what) const {
      if (!std::apply([](const auto &...copy) { return (copy.guards_intact() && ...); }, copies))
        violations.push_back("memory beyond the end of a " + what + " was written");
    }
  };

  /// One call of a derivative, and what it gives besides memory. What there is one of for each lane is in the order of
  /// the lanes.
  struct Frame {
    const testutils::DerivativeRequest &request;
    Callable &function;
    Call &call;
    Views values;
    std::vector<Views> shadows;
    Result stored_result;
    std::deque<Result> stored_shadows; ///< Of the result: its tangents or seeds.
    std::vector<testutils::Arguments> adjoints;
    testutils::DerivativeOutcome outcome;
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
  bool keeps_nothing() const override { return true; }
  std::string replay_command(std::uint64_t seed) const override {
    return names.replay_suffix.empty() ? "" : "ASSAY_SEED=" + std::to_string(seed) + " " + names.replay_suffix;
  }

  /// The given arguments as a point.
  testutils::Arguments given() const { return Call(originals).contents(); }

  /// Not empty: the function's derivative in higher precision.
  PreciseFunction precise;
  std::optional<testutils::PreciseDerivative> precise_derivative(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) override {
    if (widened)
      return wide_derivative(inputs, direction);
    return precise ? precise(inputs, direction) : std::nullopt;
  }

  /// From now on the precise derivative is that of the function that the plugin widened, if there is one.
  void use_wide_arithmetic() { widened = Entry::widened(); }

  testutils::PrimalOutcome evaluate(const testutils::Arguments &inputs) override {
    Call call(originals);
    call.load(inputs);
    Callable function = callable;
    testutils::PrimalOutcome outcome;
    outcome.result = flatten(result_of(function, call.views()));
    outcome.contents = call.contents();
    call.note_broken_guards(outcome.violations, "span");
    state_after_call = state_of(function);
    return outcome;
  }

  testutils::DerivativeOutcome differentiate(const testutils::DerivativeRequest &request) override {
    const std::optional<unsigned> offer = find(request.combination);
    if (!offer)
      throw testutils::SubjectError("this test has no code for " +
                                    testutils::describe(description, request.combination));
    Call call(originals);
    call.load(request.inputs);
    call.poison(request.poisoned, Role::primal);
    std::deque<Call> shadows;
    for (const testutils::Arguments &lane : request.shadows) {
      shadows.emplace_back(originals);
      shadows.back().load(lane);
      shadows.back().forget_constants();
      shadows.back().poison(request.poisoned, Role::shadow);
    }
    Callable function = callable;
    Frame frame = frame_for(request, function, call, shadows);
    try {
      run_at(*offer, frame);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
    return finished(frame, shadows);
  }

private:
  using Entry = WideEntry<File, Callable, Result, typename Models::Stored...>;

  [[gnu::noinline]] testutils::PreciseDerivative wide_derivative(const testutils::Arguments &inputs,
                                                                 const testutils::Arguments &direction) {
    using Use = FunctionRef<void(const testutils::WidePlaces &)>;
    const auto call_at = [&](const testutils::Arguments &at, Use before, Use after) {
      Call call(originals);
      call.load(at);
      Callable function = callable;
      Result result{};
      before({{}, argument_places(call)});
      call_widened({function, result, call.views()});
      after({result_places(result), argument_places(call)});
    };
    return testutils::wide_derivative(call_at, description, inputs, direction, wide_budget);
  }

  void call_widened(Entry entry) const {
    try {
      entry.run_widened(widened);
    } catch (const std::exception &error) {
      throw testutils::SubjectError(error.what());
    }
  }

  static std::vector<std::vector<testutils::NumberPlace>> argument_places(Call &call) {
    return std::apply(
        [](auto &...views) { return std::vector<std::vector<testutils::NumberPlace>>{places_of(views)...}; },
        call.views());
  }
  static std::vector<testutils::NumberPlace> result_places(Result &result) {
    if constexpr (is_differentiable_result<Result>)
      return places_of(result);
    else
      return {};
  }

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

  Frame frame_for(const testutils::DerivativeRequest &request, Callable &function, Call &call,
                  std::deque<Call> &shadows) {
    const Result shape = result_shape(request);
    Frame frame{request, function, call, call.views(), {}, shape, {}, {}, {}};
    for (unsigned lane = 0; lane < request.combination.width; ++lane) {
      frame.shadows.push_back(shadows[lane].views());
      frame.stored_shadows.push_back(shape);
      unflatten(request.result_seeds[lane], frame.stored_shadows.back());
      frame.adjoints.emplace_back(sizeof...(Models));
    }
    return frame;
  }

  testutils::DerivativeOutcome finished(Frame &frame, std::deque<Call> &shadows) {
    testutils::DerivativeOutcome outcome = std::move(frame.outcome);
    const testutils::Combination &combination = frame.request.combination;
    if (combination.form != testutils::Form::split) // There the memory means nothing any more.
      outcome.contents = frame.call.contents();
    for (unsigned lane = 0; lane < combination.width; ++lane) {
      outcome.shadows.push_back(shadows[lane].contents());
      keep_asked(combination, frame.adjoints[lane], outcome.shadows.back());
      shadows[lane].note_broken_guards(outcome.violations, "shadow");
    }
    frame.call.note_broken_guards(outcome.violations, "span");
    if (state_of(frame.function) != state_after_call)
      outcome.violations.push_back("the captures of the function are not what a call leaves there");
    return outcome;
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
    if constexpr (C::form.width != 1 || C::form.split)
      run_form<C>(frame);
    else if constexpr (C::mode == testutils::Mode::forward)
      run_forward<C>(frame);
    else
      run_reverse<C>(frame);
  }

  // ---- The plain form, through the C++ interface ----

  template <class C>
  static void run_forward(Frame &frame) {
    const auto result =
        call_forward<C, C::form.runtime_activity, R>(frame.function, frame.values, frame.shadows[0], Positions());
    if constexpr (C::result == testutils::Activity::duplicated)
      frame.outcome.result = numbers_of(result.primal);
    if constexpr (C::result != testutils::Activity::constant)
      frame.outcome.result_tangents.push_back(numbers_of(result.derivative));
  }

  template <class C>
  static void run_reverse(Frame &frame) {
    constexpr bool runtime_activity = C::form.runtime_activity;
    Views &shadows = frame.shadows[0];
    if constexpr (C::result == testutils::Activity::constant) {
      const auto result = call_reverse<C, runtime_activity, R>(frame.function, frame.values, shadows, Positions());
      take_adjoints<1, C>(result.gradient, frame.adjoints[0]);
    } else {
      if constexpr (std::floating_point<Result>) {
        if (frame.stored_shadows[0] == 1) {
          const auto result = call_reverse<C, runtime_activity, R>(frame.function, frame.values, shadows, Positions());
          take_adjoints<1, C>(result.gradient, frame.adjoints[0]);
          frame.outcome.result = numbers_of(result.primal);
          return;
        }
      }
      const auto result = call_reverse_seeded<C, runtime_activity, Result>(
          frame.function, frame.stored_result, frame.stored_shadows[0], frame.values, shadows, Positions());
      take_adjoints<2, C>(result.gradient, frame.adjoints[0]);
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

  // ---- Other forms, through the C convention ----

  template <class C>
  using FormCallOf =
      FormCall<File, C, Callable, std::conditional_t<std::is_void_v<R>, void, Result>, typename Models::Stored...>;

  template <class FormFrame>
  [[gnu::noinline]] static FormFrame form_frame(Frame &frame) {
    FormFrame form{frame.function, &frame.stored_result, frame.values, {}, frame.shadows};
    for (Result &shadow : frame.stored_shadows)
      form.result_shadows.push_back(&shadow);
    return form;
  }

  template <class C>
  static void run_form(Frame &frame) {
    using Calls = FormCallOf<C>;
    auto form = form_frame<typename Calls::Frame>(frame);
    if constexpr (C::mode == testutils::Mode::forward) {
      take_tangents<C>(Calls::forward(form), frame);
    } else if constexpr (C::form.split) {
      withhold_shadows(frame, Positions());
      const auto augmented = Calls::augmented(form);
      form.tape = augmented.template get<0>();
      if constexpr (Calls::returns)
        keep_result<C>(augmented.template get<1>(), frame);
      else
        keep_result<C>(frame.stored_result, frame);
      Reuse reuse(frame);
      fill_shadows(frame, Positions());
      take_lanes_of_adjoints<C>(Calls::split_reverse(form), frame);
    } else {
      const auto results = Calls::reverse(form);
      if constexpr (Calls::returns && Calls::keeps_primal)
        keep_result<C>(results.template get<0>(), frame);
      else
        keep_result<C>(frame.stored_result, frame);
      take_lanes_of_adjoints<C>(results, frame);
    }
  }

  template <class C>
  static void keep_result(const Result &result, Frame &frame) {
    if constexpr (C::result != testutils::Activity::constant)
      frame.outcome.result = numbers_of(result);
  }

  template <class C>
  static void take_tangents(const auto &results, Frame &frame) {
    using Calls = FormCallOf<C>;
    constexpr bool keeps_primal = C::result == testutils::Activity::duplicated;
    [&]<unsigned... Lane>(std::integer_sequence<unsigned, Lane...>) {
      if constexpr (Calls::returns_derivative) {
        if constexpr (keeps_primal)
          frame.outcome.result = numbers_of(results.template get<0>());
        (frame.outcome.result_tangents.push_back(numbers_of(results.template get<Lane + (keeps_primal ? 1 : 0)>())),
         ...);
      } else if constexpr (Calls::stores) {
        if constexpr (keeps_primal)
          frame.outcome.result = numbers_of(frame.stored_result);
        (frame.outcome.result_tangents.push_back(numbers_of(frame.stored_shadows[Lane])), ...);
      }
    }(std::make_integer_sequence<unsigned, C::form.width>());
  }

  template <class C>
  static void take_lanes_of_adjoints(const auto &results, Frame &frame) {
    [&]<unsigned... Lane>(std::integer_sequence<unsigned, Lane...>) {
      (take_lane_of_adjoints<C, Lane>(results, frame.adjoints[Lane], Positions()), ...);
    }(std::make_integer_sequence<unsigned, C::form.width>());
  }
  template <class C, unsigned Lane, std::size_t... I>
  static void take_lane_of_adjoints(const auto &results, testutils::Arguments &adjoints, std::index_sequence<I...>) {
    (take_adjoint_of<C, Lane, I>(results, adjoints[I]), ...);
  }
  template <class C, unsigned Lane, std::size_t I>
  static void take_adjoint_of(const auto &results, testutils::Values &into) {
    if constexpr (C::arguments[I] == testutils::Activity::active)
      into = numbers_of(results.template get<FormCallOf<C>::adjoint_position(I, Lane)>());
  }

  // The caller fills the shadows when the augmented primal has returned: what they hold before says nothing.

  template <std::size_t... I>
  [[gnu::noinline]] static void withhold_shadows(Frame &frame, std::index_sequence<I...>) {
    for (unsigned lane = 0; lane < frame.request.combination.width; ++lane) {
      (withhold<Models::in_memory>(std::get<I>(frame.shadows[lane])), ...);
      withhold<is_in_memory<Result>>(frame.stored_shadows[lane]);
    }
  }
  template <bool InMemory, class T>
  static void withhold(T &shadow) {
    if constexpr (InMemory && is_differentiable<T>)
      for_each_number(shadow, []<class Number>(Number &number, const Path &) {
        number = std::numeric_limits<Number>::signaling_NaN();
      });
  }

  template <std::size_t... I>
  [[gnu::noinline]] static void fill_shadows(Frame &frame, std::index_sequence<I...>) {
    bool intact = true;
    for (unsigned lane = 0; lane < frame.request.combination.width; ++lane) {
      ((intact = refill<Models::in_memory>(std::get<I>(frame.shadows[lane]), frame.request.shadows[lane][I]) && intact),
       ...);
      intact = refill<is_in_memory<Result>>(frame.stored_shadows[lane], frame.request.result_seeds[lane]) && intact;
    }
    if (!intact)
      frame.outcome.violations.push_back(
          "the augmented primal writes to the shadow of an argument or of the result, which is filled when it has "
          "returned");
  }
  template <bool InMemory, class T>
  static bool refill(T &shadow, const testutils::Values &values) {
    bool intact = true;
    if constexpr (InMemory && is_differentiable<T>) {
      for_each_number(shadow, [&](const auto &number, const Path &) { intact = intact && std::isnan(number); });
      unflatten(values, shadow);
    }
    return intact;
  }

  /// Between the augmented primal and the reverse function the caller uses the memory that it passed for something
  /// else.
  class Reuse {
  public:
    [[gnu::noinline]] explicit Reuse(Frame &frame) : outcome(frame.outcome) {
      outcome.contents = frame.call.contents();
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (scramble<Models::in_memory>(std::get<I>(arguments), std::get<I>(frame.values)), ...);
      }(Positions());
      scramble<is_in_memory<Result>>(result, frame.stored_result);
    }
    [[gnu::noinline]] ~Reuse() {
      bool intact = restore(result);
      std::apply([&](auto &...one) { ((intact = restore(one) && intact), ...); }, arguments);
      if (!intact)
        outcome.violations.push_back("the reverse sweep writes to memory of an argument, which may hold something else "
                                     "since the augmented primal returned");
    }
    Reuse(const Reuse &) = delete;

  private:
    template <bool InMemory, class T>
    static void scramble(std::optional<Scrambled<T>> &scrambled, T &value) {
      if constexpr (InMemory)
        scrambled.emplace(value);
    }
    template <class T>
    static bool restore(std::optional<Scrambled<T>> &scrambled) {
      return !scrambled || scrambled->restore();
    }

    testutils::DerivativeOutcome &outcome;
    std::tuple<std::optional<Scrambled<typename Models::Stored>>...> arguments;
    std::optional<Scrambled<Result>> result;
  };

  // Memory for the result has its size before the call.
  [[gnu::noinline]] Result result_shape(const testutils::DerivativeRequest &request) {
    if constexpr (!is_in_memory<Result>) {
      return {};
    } else {
      if (request.combination.result == testutils::Activity::constant)
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
  CallableState state_after_call;
  typename Entry::Run *widened = nullptr;
  testutils::WideBudget wide_budget;
};

} // namespace assay::detail
