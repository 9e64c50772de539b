#pragma once
// One differentiated call: which function the engine is given, with which arguments, and its results.
//
// A plain C++ function whose parameters are those that the convention passes anyway is given to the engine itself.
// Everything else (lambdas, function objects, member functions, parameters of class type) goes through a trampoline: a
// static function with one parameter for the callable and one for each argument, which calls the callable. The
// trampoline is a constant, so the plugin finds it at every optimisation level.

#include "assay/detail/fill_result.hpp"
#include "assay/detail/invoke.hpp"
#include "assay/detail/pack.hpp"
#include "assay/detail/parameter.hpp"
#include "assay/detail/parameter_list.hpp"
#include <concepts>
#include <cstdint>
#include <tuple>
#include <utility>

namespace assay::detail {

/// Callable says how the function is passed and called, P how its arguments travel: P::Wire and P::restore.
template <class R, class Callable, class... P>
struct Trampoline {
  static R returns(typename Callable::Wire function, typename P::Wire... arguments) {
    return Callable::invoke(function, P::restore(arguments)...);
  }
  static void stores(R *result, typename Callable::Wire function, typename P::Wire... arguments) {
    if constexpr (stores_by_parts<R>) {
      R whole = Callable::invoke(function, P::restore(arguments)...);
      store_part(whole, *result);
    } else {
      *result = Callable::invoke(function, P::restore(arguments)...);
    }
  }
  /// Into a result that has the shape already, as its shadow has: the shadow is the seed.
  static void fills(R *result, typename Callable::Wire function, typename P::Wire... arguments) {
    const R whole = Callable::invoke(function, P::restore(arguments)...);
    fill_result(whole, *result);
  }
};

/// A callable without shadow, as parameter of a trampoline. Pointers to functions and to members travel by value.
template <class F>
struct ConstCallable {
  static constexpr bool by_value = std::is_pointer_v<F> || std::is_member_pointer_v<F>;
  using Object = F;
  using Wire = std::conditional_t<by_value, F, F *>;
  template <class... X>
  [[gnu::always_inline]] static decltype(auto) invoke(Wire &wire, X &...arguments) {
    if constexpr (by_value)
      return call(wire, arguments...);
    else
      return call(*wire, arguments...);
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

// ---- The argument list of a convention's call, as a list of slots. ----

// The callable comes by value, so that without optimisation, too, the plugin sees which function it is. The rest stands
// in a frame:
//
//     R *result; std::array<R *, lanes> result_shadows;    // where a result of class type is stored
//     Parameters &parameters;                              // a ParameterList
//     Seeds seeds;                                         // of a scalar result, one for each lane
//     void *tape, *drop_list;                              // of split mode

template <class R, class Parameters, class Seeds, unsigned Lanes>
struct CallFrame {
  R *result;
  std::array<R *, Lanes> result_shadows;
  Parameters &parameters;
  Seeds seeds;
  void *tape;
  void *drop_list = nullptr;
};

template <Marker M>
struct MarkerSlot {
  [[gnu::always_inline]] static int get(auto /*callable*/, auto & /*frame*/) { return marker_value<M>(); }
};
struct CallableSlot {
  [[gnu::always_inline]] static auto get(auto callable, auto & /*frame*/) { return erased(callable); }
};
struct ResultSlot {
  [[gnu::always_inline]] static auto get(auto /*callable*/, auto &frame) { return erased(frame.result); }
};
template <unsigned Lane>
struct ResultShadowSlot {
  [[gnu::always_inline]] static auto get(auto /*callable*/, auto &frame) { return erased(frame.result_shadows[Lane]); }
};
template <std::size_t I>
struct ValueSlot {
  [[gnu::always_inline]] static auto get(auto /*callable*/, auto &frame) {
    return erased(parameter_at<I>(frame.parameters).value());
  }
};
template <std::size_t I, unsigned Lane>
struct ShadowSlot {
  [[gnu::always_inline]] static auto get(auto /*callable*/, auto &frame) {
    return erased(parameter_at<I>(frame.parameters).template shadow<Lane>());
  }
};
template <unsigned Lane>
struct SeedSlot {
  [[gnu::always_inline]] static auto get(auto /*callable*/, auto &frame) { return frame.seeds[Lane]; }
};
struct GivenTapeSlot {
  [[gnu::always_inline]] static void *get(auto /*callable*/, auto &frame) { return frame.tape; }
};
struct DropListSlot {
  [[gnu::always_inline]] static void *get(auto /*callable*/, auto &frame) { return frame.drop_list; }
};
template <int Value>
struct WidthSlot {
  [[gnu::always_inline]] static int get(auto /*callable*/, auto & /*frame*/) { return Value; }
};
template <auto &Option>
struct OptionSlot {
  [[gnu::always_inline]] static int get(auto /*callable*/, auto & /*frame*/) { return Option; }
};

/// The functions of the convention.
enum class ConventionCall : std::uint8_t { forward, reverse, augmented, split_reverse };

template <class... S>
struct Slots {
  template <ConventionCall Call, class Raw>
  [[gnu::always_inline]] static Raw emit(void *function, auto callable, auto &frame) {
    if constexpr (Call == ConventionCall::forward)
      return convention::__enzyme_fwddiff<Raw>(function, S::get(callable, frame)...);
    else if constexpr (Call == ConventionCall::reverse)
      return convention::__enzyme_autodiff<Raw>(function, S::get(callable, frame)...);
    else if constexpr (Call == ConventionCall::augmented)
      return convention::__enzyme_augmentfwd<Raw>(function, S::get(callable, frame)...);
    else
      return convention::__enzyme_reverse<Raw>(function, S::get(callable, frame)...);
  }
};

template <class... List>
struct Concatenate {
  using type = Slots<>;
};
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

template <class>
struct SlotsByLane;
template <unsigned... Lane>
struct SlotsByLane<std::integer_sequence<unsigned, Lane...>> {
  template <std::size_t I>
  using Shadows = Slots<ShadowSlot<I, Lane>...>;
  using ResultShadows = Slots<ResultShadowSlot<Lane>...>;
  using Seeds = Slots<SeedSlot<Lane>...>;
};
template <unsigned Lanes>
using LaneSlots = SlotsByLane<std::make_integer_sequence<unsigned, Lanes>>;

using CallableSlots = Slots<MarkerSlot<Marker::constant>, CallableSlot>;
/// `Kept`: the caller does not change the argument between the two passes of split mode.
template <std::size_t I, class P, bool Kept>
using ParameterSlots = typename Concatenate<
    SlotsIf<Kept, OptionSlot<convention::not_overwritten>>, Slots<MarkerSlot<P::marker>, ValueSlot<I>>,
    std::conditional_t<P::has_shadow, typename LaneSlots<P::lanes>::template Shadows<I>, Slots<>>>::type;
template <unsigned Lanes>
using ResultSlots = typename Concatenate<Slots<MarkerSlot<Marker::duplicated>, ResultSlot>,
                                         typename LaneSlots<Lanes>::ResultShadows>::type;

} // namespace assay::detail
