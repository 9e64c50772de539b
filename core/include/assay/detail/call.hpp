#pragma once
// One differentiated call: which function the engine is given, with which arguments, and what comes back.
//
// A plain C++ function whose parameters are what the convention passes anyway is given to the engine itself. Everything
// else (lambdas, function objects, member functions, parameters of class type) goes through a trampoline: a static
// function with one parameter for the callable and one for each argument, which calls the callable. The trampoline is a
// constant, so the plugin finds it at every optimisation level.

#include "assay/detail/pack.hpp"
#include "assay/detail/parameter.hpp"
#include <functional>
#include <tuple>
#include <utility>

namespace assay::detail {

template <class F, class... X>
[[gnu::always_inline]] inline decltype(auto) call(F &function, X &...arguments) {
  if constexpr (std::is_member_pointer_v<std::remove_cv_t<F>>)
    return std::invoke(function, arguments...);
  else
    return function(arguments...);
}

template <class R, class Callable, class... P>
struct Trampoline {
  static R returns(typename Callable::Wire function, typename P::Wire... arguments) {
    return call(Callable::restore(function), P::restore(arguments)...);
  }
  static void stores(R *result, typename Callable::Wire function, typename P::Wire... arguments) {
    *result = call(Callable::restore(function), P::restore(arguments)...);
  }
};

/// A callable without shadow, as parameter of a trampoline. Pointers to functions and to members travel by value.
template <class F>
struct ConstCallable {
  static constexpr bool by_value = std::is_pointer_v<F> || std::is_member_pointer_v<F>;
  using Object = F;
  using Wire = std::conditional_t<by_value, F, F *>;
  [[gnu::always_inline]] static F &restore(Wire &wire) {
    if constexpr (by_value)
      return wire;
    else
      return *wire;
  }
};

/// Calls its first argument with the others: a callable that is itself differentiated is an argument of this one.
struct CallFirst {
  template <class F, class... X>
    requires std::invocable<F &, X &...>
  [[gnu::always_inline]] decltype(auto) operator()(F &function, X &...arguments) const {
    return call(function, arguments...);
  }
};
inline constexpr CallFirst call_first;

template <class Declared, class P>
inline constexpr bool passes_as_declared =
    P::by_value
        ? std::is_same_v<without_const<Declared>, without_const<typename P::Wire>> && !std::is_reference_v<Declared>
        : std::is_lvalue_reference_v<Declared> && std::is_same_v<std::remove_cvref_t<Declared>, typename P::T>;

/// Whether the function can be given to the engine without a trampoline.
template <class F, class... P>
inline constexpr bool is_direct = false;
template <class R, class... D, class... P>
  requires(sizeof...(D) == sizeof...(P))
inline constexpr bool is_direct<R (*)(D...), P...> =
    (std::is_void_v<R> || PassedByValue<R>) && (passes_as_declared<D, P> && ...);
template <class R, class... D, class... P>
inline constexpr bool is_direct<R (*)(D...) noexcept, P...> = is_direct<R (*)(D...), P...>;

/// Where a trampoline stores a result of class type.
template <class R>
struct ResultAddress {
  R *result;
  R *shadow;
};

// ---- The argument list of a convention's call, as a list of slots. ----

struct AnyClass;

/// Pointers lose their type, since a declaration cannot name a type that is local to a function or a source file.
template <class T>
[[gnu::always_inline]] inline auto erased(T value) {
  if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>)
    return reinterpret_cast<void *>(value);
  else if constexpr (std::is_pointer_v<T>)
    return const_cast<void *>(static_cast<const volatile void *>(value));
  else if constexpr (std::is_member_function_pointer_v<T>)
    return reinterpret_cast<void (AnyClass::*)()>(value);
  else if constexpr (std::is_member_object_pointer_v<T>)
    return reinterpret_cast<char AnyClass::*>(value);
  else
    return value;
}

// The callable comes by value, so that without optimisation, too, the plugin sees which function it is.

template <Marker M>
struct MarkerSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static int get(W /*callable*/, ResultAddress<R> /*result*/, P & /*parameters*/) {
    return marker_value<M>();
  }
};
struct CallableSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static auto get(W callable, ResultAddress<R> /*result*/, P & /*parameters*/) {
    return erased(callable);
  }
};
struct ResultSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static auto get(W /*callable*/, ResultAddress<R> result, P & /*parameters*/) {
    return erased(result.result);
  }
};
struct ResultShadowSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static auto get(W /*callable*/, ResultAddress<R> result, P & /*parameters*/) {
    return erased(result.shadow);
  }
};
template <std::size_t I>
struct ValueSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static auto get(W /*callable*/, ResultAddress<R> /*result*/, P &parameters) {
    return erased(std::get<I>(parameters).value());
  }
};
template <std::size_t I>
struct ShadowSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static auto get(W /*callable*/, ResultAddress<R> /*result*/, P &parameters) {
    return erased(std::get<I>(parameters).shadow());
  }
};

enum class Option { constant_return, duplicated_return, primal_return, runtime_activity, strong_zero };
template <Option O>
struct OptionSlot {
  template <class W, class R, class P>
  [[gnu::always_inline]] static int get(W /*callable*/, ResultAddress<R> /*result*/, P & /*parameters*/) {
    if constexpr (O == Option::constant_return)
      return convention::constant_return;
    else if constexpr (O == Option::duplicated_return)
      return convention::duplicated_return;
    else if constexpr (O == Option::primal_return)
      return convention::primal_return;
    else if constexpr (O == Option::runtime_activity)
      return convention::runtime_activity;
    else
      return convention::strong_zero;
  }
};

template <class... S>
struct Slots {
  template <class Raw, class M, class W, class R, class P>
  [[gnu::always_inline]] static Raw emit(void *function, W callable, ResultAddress<R> result, P &parameters) {
    if constexpr (is_forward<M>)
      return convention::__enzyme_fwddiff<Raw>(function, S::get(callable, result, parameters)...);
    else
      return convention::__enzyme_autodiff<Raw>(function, S::get(callable, result, parameters)...);
  }
};

template <class... List>
struct Concatenate;
template <class... S>
struct Concatenate<Slots<S...>> {
  using type = Slots<S...>;
};
template <class... A, class... B, class... Rest>
struct Concatenate<Slots<A...>, Slots<B...>, Rest...> {
  using type = typename Concatenate<Slots<A..., B...>, Rest...>::type;
};
template <bool Condition, class... S>
using SlotsIf = std::conditional_t<Condition, Slots<S...>, Slots<>>;

using CallableSlots = Slots<MarkerSlot<Marker::constant>, CallableSlot>;
template <std::size_t I, class P>
using ParameterSlots =
    typename Concatenate<Slots<MarkerSlot<P::marker>, ValueSlot<I>>, SlotsIf<P::has_shadow, ShadowSlot<I>>>::type;
using ResultSlots = Slots<MarkerSlot<Marker::duplicated>, ResultSlot, ResultShadowSlot>;

} // namespace assay::detail
