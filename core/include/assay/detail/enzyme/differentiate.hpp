#pragma once
// From an annotated call to a call of the C convention, and from its result to a tuple.

#include "assay/detail/enzyme/call.hpp"
#include "assay/detail/enzyme/tuple.hpp"
#include "assay/detail/pack.hpp"

namespace enzyme::detail {

/// No activity of the result was written: a number is Active in reverse mode, DuplicatedNoNeed in forward mode.
struct Deduced {};

/// The readable errors for the activity of a result of type R.
template <class R, class M, class Return>
constexpr bool valid_return() {
  constexpr bool carries_nothing = std::is_void_v<R> || std::is_integral_v<R> || std::is_enum_v<R>;
  if constexpr (is_annotation<Return>)
    static_assert(std::is_same_v<std::remove_cv_t<std::remove_reference_t<typename Return::type>>, R>,
                  "enzyme: the activity of the result names another type than the function returns");
  if constexpr (is_forward<M>) {
    static_assert(!is_active<Return>,
                  "enzyme: an Active result is for reverse mode; in forward mode use Duplicated<R>");
    static_assert(!is_no_need<Return> || !keeps_primal<M>,
                  "enzyme: a DuplicatedNoNeed result has no primal; use Duplicated<R> or the mode Forward");
  } else {
    static_assert(!is_duplicated<Return>, "enzyme: in reverse mode the result is Active<R> or Const<R>");
    static_assert(carries_nothing || std::is_floating_point_v<R> || is_const<Return>,
                  "enzyme: in reverse mode the function must return a floating-point number or nothing; write other "
                  "results to a Duplicated argument");
  }
  return true;
}

template <class T>
using PackOf = std::conditional_t<std::is_void_v<T>, assay::detail::Pack<>, assay::detail::Pack<T>>;
template <bool condition, class T>
using PackIf = typename std::conditional_t<condition, NotDeduced<PackOf<T>>, NotDeduced<assay::detail::Pack<>>>::type;

template <class... List>
struct JoinPacks;
template <class... T>
struct JoinPacks<assay::detail::Pack<T...>> {
  using type = assay::detail::Pack<T...>;
};
template <class... A, class... B, class... Rest>
struct JoinPacks<assay::detail::Pack<A...>, assay::detail::Pack<B...>, Rest...> {
  using type = typename JoinPacks<assay::detail::Pack<A..., B...>, Rest...>::type;
};

// ---- Results: no element where there is nothing ----

template <class T>
std::tuple<T> present(T value) {
  return std::tuple<T>(std::move(value));
}
inline std::tuple<> present(None /*nothing*/) {
  return {};
}
template <class... T>
auto present_values(T... values) {
  return std::apply([](auto... present) { return tuple<decltype(present)...>(std::move(present)...); },
                    std::tuple_cat(present(std::move(values))...));
}

/// Everything about one kind of call that is known when compiling: M the mode, C the callable, P the parameters.
template <class M, class Return, class C, class... P>
struct Differentiation {
  using R = std::remove_cv_t<std::remove_reference_t<decltype(call(std::declval<typename C::Object &>(),
                                                                   std::declval<typename P::Object &>()...))>>;
  static_assert(valid_return<R, M, Return>());
  static constexpr bool in_registers = std::is_void_v<R> || passed_by_value<R>;
  static constexpr bool carries =
      !std::is_void_v<R> && !std::is_integral_v<R> && !std::is_enum_v<R> && !is_const<Return>;
  static constexpr bool wants_primal =
      !std::is_void_v<R> && (keeps_primal<M> || (is_forward<M> && is_duplicated<Return> && !is_no_need<Return>));
  static constexpr bool packs_primal = wants_primal && in_registers;
  static constexpr bool wants_tangent = is_forward<M> && carries;
  static constexpr bool packs_tangent = wants_tangent && in_registers;
  static constexpr bool is_direct = detail::is_direct<typename C::Wire, std::tuple<P...>>;
  using Values = typename JoinPacks<PackIf<packs_primal, R>, PackIf<packs_tangent, R>,
                                    PackIf<P::returns_adjoint, typename P::T>...>::type;

  struct Frame {
    C callable;
    std::tuple<P...> parameters;
    StoredResult<R, !in_registers> stored{};
  };

  template <std::size_t... I>
  static auto slots(std::index_sequence<I...> /*parameters*/) -> typename Concatenate<
      SlotsIf<is_const<Return> && (std::is_floating_point_v<R> || std::is_pointer_v<R>), ConstantReturnSlot>,
      SlotsIf<packs_primal, PrimalReturnSlot>, std::conditional_t<in_registers, Slots<>, ResultSlots>,
      std::conditional_t<is_direct, Slots<>, CallableSlots<C>>, ParameterSlots<I, P>...>::type;
  using Arguments = decltype(slots(std::index_sequence_for<P...>()));

  /// The function that the engine is asked to differentiate.
  [[gnu::always_inline]] static void *target(const C &callable) {
    if constexpr (is_direct)
      return reinterpret_cast<void *>(callable.value());
    else if constexpr (in_registers)
      return reinterpret_cast<void *>(&Trampoline<R, C, P...>::returns);
    else
      return reinterpret_cast<void *>(&Trampoline<R, C, P...>::stores);
  }

  /// Where the adjoint of parameter `index` is among the values that the call returned.
  static constexpr std::size_t position(std::size_t index) {
    constexpr bool returned[] = {P::returns_adjoint..., false};
    std::size_t count = (packs_primal ? 1 : 0) + (packs_tangent ? 1 : 0);
    for (std::size_t before = 0; before != index; ++before)
      count += returned[before] ? 1 : 0;
    return count;
  }

  template <std::size_t I, class V>
  static auto gradient(const V &values, const Frame &frame) {
    using Each = std::tuple_element_t<I, std::tuple<P...>>;
    if constexpr (Each::returns_adjoint)
      return std::get<I>(frame.parameters).gradient(values.template get<position(I)>());
    else
      return std::get<I>(frame.parameters).gradient(None{});
  }
  template <class V, std::size_t... I>
  static auto gradients(const V &values, const Frame &frame, std::index_sequence<I...> /*parameters*/) {
    return present_values(gradient<I>(values, frame)...);
  }

  template <class V>
  static auto primal(const V &values, Frame &frame) {
    if constexpr (packs_primal)
      return values.template get<0>();
    else if constexpr (wants_primal)
      return std::move(frame.stored.primal);
    else
      return None{};
  }
  template <class V>
  static auto tangent(const V &values, Frame &frame) {
    if constexpr (packs_tangent)
      return values.template get<packs_primal ? 1 : 0>();
    else if constexpr (wants_tangent)
      return std::move(frame.stored.shadow);
    else
      return None{};
  }

  template <class V>
  static auto results(const V &values, Frame &frame) {
    if constexpr (is_forward<M>)
      return present_values(primal(values, frame), tangent(values, frame));
    else
      return present_values(gradients(values, frame, std::index_sequence_for<P...>()), primal(values, frame));
  }
};

template <class M, class Return, class C, class... P>
[[gnu::always_inline]] inline auto run(C callable, P... parameters) {
  constexpr bool is_callable = std::is_invocable_v<typename C::Object &, typename P::Object &...>;
  static_assert(is_callable, "enzyme: the function cannot be called with the values of these annotations");
  if constexpr (is_callable) {
    using D = Differentiation<M, Return, C, P...>;
    using Raw = typename D::Values::Raw;
    typename D::Frame frame{std::move(callable), std::tuple<P...>(std::move(parameters)...), {}};
    if constexpr (std::is_void_v<Raw>) {
      D::Arguments::template emit<void, M>(D::target(frame.callable), frame);
      return D::results(None{}, frame);
    } else {
      const typename D::Values::Values values{D::Arguments::template emit<Raw, M>(D::target(frame.callable), frame)};
      return D::results(values, frame);
    }
  }
}

template <class M, class Return, class F, class... A>
[[gnu::always_inline]] inline auto differentiate(F &function, A &...arguments) {
  if constexpr (is_const<std::remove_cv_t<F>>)
    return differentiate<M, Return>(function.value, arguments...);
  else if constexpr (is_duplicated<std::remove_cv_t<F>>)
    return run<M, Return>(Parameter<F, M>(function), Parameter<A, M>(arguments)...);
  else if constexpr (std::is_function_v<F>)
    return run<M, Return>(ConstCallable<F *>(&function), Parameter<A, M>(arguments)...);
  else if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>)
    return run<M, Return>(ConstCallable<std::remove_cv_t<F>>(function), Parameter<A, M>(arguments)...);
  else
    return run<M, Return>(ConstCallable<F>(std::addressof(function)), Parameter<A, M>(arguments)...);
}

} // namespace enzyme::detail
