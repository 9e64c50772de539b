#pragma once
// Derivatives in any form, as calls of the C convention: several shadows at once, split reverse mode, any seed. The
// plain form goes through the C++ interface (derivative_call.hpp).
//
// A result in registers comes back with the derivative; one of class type is stored by the function that is
// differentiated, in memory that has a shadow for each lane. A result without derivative is left there.

#include <assay/detail/testing/derivative_call.hpp>

#include <vector>

namespace assay::detail {

/// Calls the function for its outputs in memory.
template <class F, class R, class... P>
struct DiscardingCall {
  static void run(passed_type<F> function, P... arguments) { (void)function(arguments...); }
};

/// The source of the values of a call's slots.
template <class F, class R, class Values>
struct FormFrame {
  F &function;
  R *result = nullptr; ///< Where a result of class type is stored.
  Values values;
  std::vector<R *> result_shadows; ///< One for each lane: tangent or seed.
  std::vector<Values> shadows;     ///< One for each lane.
  void *tape = nullptr;
};

template <class R>
inline constexpr bool in_registers = std::is_void_v<R> || PassedByValue<R>;

// ---- Slots: the argument list of a call ----

template <auto &Marker>
struct FixedSlot {
  [[gnu::always_inline]] static int get(auto & /*frame*/) { return Marker; }
};
template <int Value>
struct NumberSlot {
  [[gnu::always_inline]] static int get(auto & /*frame*/) { return Value; }
};
struct FunctionSlot {
  [[gnu::always_inline]] static auto get(auto &frame) {
    using F = std::remove_reference_t<decltype(frame.function)>;
    if constexpr (PassedByValue<F>)
      return erased(frame.function);
    else
      return erased(std::addressof(frame.function));
  }
};
struct StoredResultSlot {
  [[gnu::always_inline]] static void *get(auto &frame) { return frame.result; }
};
template <unsigned Lane>
struct StoredResultShadowSlot {
  [[gnu::always_inline]] static void *get(auto &frame) { return frame.result_shadows[Lane]; }
};
template <unsigned Lane>
struct LaneSeedSlot {
  [[gnu::always_inline]] static auto get(auto &frame) { return *frame.result_shadows[Lane]; }
};
template <std::size_t I>
struct GivenSlot {
  [[gnu::always_inline]] static auto get(auto &frame) { return passed(std::get<I>(frame.values)); }
  template <class T>
  [[gnu::always_inline]] static auto passed(T &value) {
    if constexpr (PassedByValue<T>)
      return erased(value);
    else
      return erased(std::addressof(value));
  }
};
template <std::size_t I, unsigned Lane>
struct LaneSlot {
  [[gnu::always_inline]] static auto get(auto &frame) { return GivenSlot<I>::passed(std::get<I>(frame.shadows[Lane])); }
};
struct TapeSlot {
  [[gnu::always_inline]] static void *get(auto &frame) { return frame.tape; }
};

template <class... S>
struct FormSlots {
  template <class Raw>
  [[gnu::always_inline]] static Raw forward(void *call, auto &frame) {
    return convention::__enzyme_fwddiff<Raw>(call, S::get(frame)...);
  }
  template <class Raw>
  [[gnu::always_inline]] static Raw reverse(void *call, auto &frame) {
    return convention::__enzyme_autodiff<Raw>(call, S::get(frame)...);
  }
  template <class Raw>
  [[gnu::always_inline]] static Raw augmented(void *call, auto &frame) {
    return convention::__enzyme_augmentfwd<Raw>(call, S::get(frame)...);
  }
  template <class Raw>
  [[gnu::always_inline]] static Raw split_reverse(void *call, auto &frame) {
    return convention::__enzyme_reverse<Raw>(call, S::get(frame)...);
  }
};

template <class... List>
struct JoinSlots {
  using type = FormSlots<>;
};
template <class... S>
struct JoinSlots<FormSlots<S...>> {
  using type = FormSlots<S...>;
};
template <class... A, class... B, class... Rest>
struct JoinSlots<FormSlots<A...>, FormSlots<B...>, Rest...> : JoinSlots<FormSlots<A..., B...>, Rest...> {};
template <bool Condition, class... S>
using FormSlotsIf = std::conditional_t<Condition, FormSlots<S...>, FormSlots<>>;

/// The calls of one combination C, of a function F with result R and arguments that are held as Stored. File belongs to
/// one translation unit: a derivative of a pointer to a function knows only the functions of its own.
template <class File, class C, class F, class R, class... Stored>
struct FormCall {
  using Result = std::conditional_t<std::is_void_v<R>, std::monostate, R>;
  using Frame = FormFrame<F, Result, std::tuple<Stored &...>>;

  static constexpr unsigned width = C::form.width;
  static constexpr bool has_derivative = C::result != testutils::Activity::constant;
  static constexpr bool returns = !std::is_void_v<R> && in_registers<R>;
  static constexpr bool stores = has_derivative && !in_registers<R>;
  static constexpr bool returns_derivative = returns && has_derivative;
  /// Whether the result itself is asked for; an augmented primal always has it.
  static constexpr bool keeps_primal =
      has_derivative && (C::mode == testutils::Mode::reverse || C::result == testutils::Activity::duplicated);

  static auto forward(Frame &frame) {
    using Results = typename ConcatenatePacks<typename PackIf<returns && keeps_primal, Result>::type,
                                              OfLanes<returns_derivative, Result>>::type;
    using Slots = typename JoinSlots<Leading<returns && keeps_primal>, Arguments>::type;
    return received<Results>([&]<class Raw>() { return Slots::template forward<Raw>(function(), frame); });
  }
  static auto reverse(Frame &frame) {
    using Results = typename ConcatenatePacks<typename PackIf<returns && keeps_primal, Result>::type, Adjoints>::type;
    using Slots =
        typename JoinSlots<Leading<returns && keeps_primal>,
                           FormSlotsIf<returns_derivative, FixedSlot<convention::seed>>, Seeds, Arguments>::type;
    return received<Results>([&]<class Raw>() { return Slots::template reverse<Raw>(function(), frame); });
  }
  /// The tape, then the result if it is returned.
  static auto augmented(Frame &frame) {
    using Results = typename ConcatenatePacks<Pack<void *>, typename PackIf<returns, Result>::type>::type;
    using Slots = typename JoinSlots<Leading<false>, Arguments>::type;
    return received<Results>([&]<class Raw>() { return Slots::template augmented<Raw>(function(), frame); });
  }
  static auto split_reverse(Frame &frame) {
    using Slots = typename JoinSlots<Leading<false>, Arguments, Seeds, FormSlots<TapeSlot>>::type;
    return received<Adjoints>([&]<class Raw>() { return Slots::template split_reverse<Raw>(function(), frame); });
  }

  /// Where the adjoint of an active argument stands among the results, in a lane.
  static constexpr std::size_t adjoint_position(std::size_t argument, unsigned lane) {
    std::size_t position = C::form.split || !(returns && keeps_primal) ? 0 : 1;
    for (std::size_t index = 0; index < argument; ++index)
      position += C::arguments[index] == testutils::Activity::active ? width : 0;
    return position + lane;
  }

private:
  using Lanes = std::make_integer_sequence<unsigned, width>;
  using Positions = std::index_sequence_for<Stored...>;
  template <bool Condition, class T>
  using OfLanes = std::conditional_t<Condition, typename PackOfLanes<T, Lanes>::type, Pack<>>;

  template <class Results>
  [[gnu::always_inline]] static auto received(auto call) {
    using Raw = typename Results::Raw;
    if constexpr (std::is_void_v<Raw>) {
      call.template operator()<Raw>();
      return EmptyPack{};
    } else {
      return typename Results::Values{call.template operator()<Raw>()};
    }
  }

  [[gnu::always_inline]] static void *function() {
    if constexpr (stores)
      return reinterpret_cast<void *>(&StoredCall<F, R, passed_type<Stored>...>::run);
    else if constexpr (in_registers<R>)
      return reinterpret_cast<void *>(&PlainCall<F, R, passed_type<Stored>...>::run);
    else
      return reinterpret_cast<void *>(&DiscardingCall<F, R, passed_type<Stored>...>::run);
  }

  // ---- Before the arguments ----

  template <bool Primal>
  using Leading = typename JoinSlots<
      FormSlotsIf<(width > 1), FixedSlot<convention::width>, NumberSlot<width>>,
      FormSlotsIf<C::form.runtime_activity, FixedSlot<convention::runtime_activity>>,
      FormSlotsIf<!has_derivative && std::is_floating_point_v<R>, FixedSlot<convention::constant_return>>,
      FormSlotsIf<Primal, FixedSlot<convention::primal_return>>>::type;

  // ---- Arguments ----

  static constexpr bool has_shadow(testutils::Activity activity) {
    return activity == testutils::Activity::duplicated || activity == testutils::Activity::duplicated_no_need;
  }
  template <testutils::Activity A>
  static constexpr auto marker_slot() {
    using enum testutils::Activity;
    if constexpr (A == constant)
      return FixedSlot<convention::constant>{};
    else if constexpr (A == duplicated_no_need)
      return FixedSlot<convention::duplicated_no_need>{};
    else if constexpr (A == duplicated)
      return FixedSlot<convention::duplicated>{};
    else
      return FixedSlot<convention::active>{};
  }

  template <class>
  struct ByLane;
  template <unsigned... Lane>
  struct ByLane<std::integer_sequence<unsigned, Lane...>> {
    template <std::size_t I>
    using Argument = typename JoinSlots<FormSlots<decltype(marker_slot<C::arguments[I]>()), GivenSlot<I>>,
                                        FormSlotsIf<has_shadow(C::arguments[I]), LaneSlot<I, Lane>...>>::type;
    /// The result as a seed is duplicated; only forward mode has it without need.
    static constexpr auto result_activity =
        C::result == testutils::Activity::active ? testutils::Activity::duplicated : C::result;
    using StoredResult = FormSlotsIf<stores, decltype(marker_slot<result_activity>()), StoredResultSlot,
                                     StoredResultShadowSlot<Lane>...>;
    using Seeds = FormSlotsIf<returns_derivative, LaneSeedSlot<Lane>...>;
  };
  template <class>
  struct ByPosition;
  template <std::size_t... I>
  struct ByPosition<std::index_sequence<I...>> {
    using Arguments = typename JoinSlots<FormSlots<>, typename ByLane<Lanes>::template Argument<I>...>::type;
    using Adjoints =
        typename ConcatenatePacks<Pack<>, OfLanes<C::arguments[I] == testutils::Activity::active, Stored>...>::type;
  };
  using Seeds = typename ByLane<Lanes>::Seeds;
  using Arguments =
      typename JoinSlots<typename ByLane<Lanes>::StoredResult, FormSlots<FixedSlot<convention::constant>, FunctionSlot>,
                         typename ByPosition<Positions>::Arguments>::type;

  using Adjoints = typename ByPosition<Positions>::Adjoints;
};

} // namespace assay::detail
