#pragma once
// One call of the C convention: which function the engine is given, and its arguments as a list of slots. A plain
// function whose parameters are those that the convention passes anyway is given itself; everything else goes through a
// trampoline, a static function that takes the callable and then the arguments. It is a constant, so that the plugin
// finds it at every optimisation level.

#include "assay/detail/enzyme/parameter.hpp"
#include "assay/detail/invoke.hpp"
#include <tuple>

namespace enzyme::detail {

using assay::detail::call;
using assay::detail::erased;

template <class R, class C, class... P>
struct Trampoline {
  static R returns(typename C::Wire function, typename P::Wire... arguments) {
    return call(C::restore(function), P::restore(arguments)...);
  }
  static void stores(R *result, typename C::Wire function, typename P::Wire... arguments) {
    *result = call(C::restore(function), P::restore(arguments)...);
  }
};

template <class Declared, class P>
inline constexpr bool passes_as_declared =
    P::by_value ? std::is_same_v<std::remove_cv_t<Declared>, typename P::Wire>
                : std::is_lvalue_reference_v<Declared> &&
                      std::is_same_v<std::remove_cv_t<std::remove_reference_t<Declared>>, typename P::T>;

template <class DeclaredList, class ParameterList>
inline constexpr bool pass_as_declared = false;
template <class... D, class... P>
inline constexpr bool pass_as_declared<std::tuple<D...>, std::tuple<P...>> = [] {
  if constexpr (sizeof...(D) == sizeof...(P))
    return (passes_as_declared<D, P> && ...);
  else
    return false;
}();

/// Whether the function can be given to the engine without a trampoline.
template <class Wire, class ParameterList>
inline constexpr bool is_direct = false;
template <class R, class... D, class ParameterList>
inline constexpr bool is_direct<R (*)(D...), ParameterList> =
    (std::is_void_v<R> || passed_by_value<R>) && pass_as_declared<std::tuple<D...>, ParameterList>;
template <class R, class... D, class ParameterList>
inline constexpr bool is_direct<R (*)(D...) noexcept, ParameterList> = is_direct<R (*)(D...), ParameterList>;

/// Where a trampoline stores a result of class type; nothing where the result comes in registers.
template <class R, bool stores>
struct StoredResult {};
template <class R>
struct StoredResult<R, true> {
  R primal{}, shadow{};
};

// ---- Slots: each gives one argument of the convention's call. Everything is a value, so that the plugin sees which
// function and which marker it is without optimisation, too. `Frame` has the callable, the parameters and the result.

template <Marker M>
struct MarkerSlot {
  template <class Frame>
  [[gnu::always_inline]] static int get(Frame & /*frame*/) {
    return marker_value<M>();
  }
};
struct ConstantReturnSlot {
  template <class Frame>
  [[gnu::always_inline]] static int get(Frame & /*frame*/) {
    return assay::detail::convention::constant_return;
  }
};
struct PrimalReturnSlot {
  template <class Frame>
  [[gnu::always_inline]] static int get(Frame & /*frame*/) {
    return assay::detail::convention::primal_return;
  }
};
struct ResultSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(std::addressof(frame.stored.primal));
  }
};
struct ResultShadowSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(std::addressof(frame.stored.shadow));
  }
};
struct CallableSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(frame.callable.value());
  }
};
struct CallableShadowSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(frame.callable.shadow());
  }
};
template <std::size_t I>
struct ValueSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(std::get<I>(frame.parameters).value());
  }
};
template <std::size_t I>
struct ShadowSlot {
  template <class Frame>
  [[gnu::always_inline]] static auto get(Frame &frame) {
    return erased(std::get<I>(frame.parameters).shadow());
  }
};

template <class... S>
struct Slots {
  template <class Raw, class M, class Frame>
  [[gnu::always_inline]] static Raw emit(void *function, Frame &frame) {
    if constexpr (is_forward<M>)
      return assay::detail::convention::__enzyme_fwddiff<Raw>(function, S::get(frame)...);
    else
      return assay::detail::convention::__enzyme_autodiff<Raw>(function, S::get(frame)...);
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
template <bool condition, class... S>
using SlotsIf = std::conditional_t<condition, Slots<S...>, Slots<>>;

template <class C>
using CallableSlots =
    typename Concatenate<Slots<MarkerSlot<C::marker>, CallableSlot>, SlotsIf<C::has_shadow, CallableShadowSlot>>::type;
template <std::size_t I, class P>
using ParameterSlots =
    typename Concatenate<Slots<MarkerSlot<P::marker>, ValueSlot<I>>, SlotsIf<P::has_shadow, ShadowSlot<I>>>::type;
using ResultSlots = Slots<MarkerSlot<Marker::duplicated>, ResultSlot, ResultShadowSlot>;

} // namespace enzyme::detail
