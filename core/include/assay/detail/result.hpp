#pragma once
// What the return value of the differentiated function is to the engine, and which results a call therefore has.

#include "assay/detail/call.hpp"

namespace assay {

/// Reverse mode: one entry for each argument, the adjoint of an Active one and None for the others.
template <class... Gradient>
struct Gradients {
  std::tuple<Gradient...> gradient;
};
template <class P, class... Gradient>
struct GradientsWithPrimal {
  std::tuple<Gradient...> gradient;
  P primal;
};
/// Forward mode: the directional derivative of the result; None if there is none.
template <class D>
struct Tangent {
  D derivative;
};
template <class D, class P>
struct TangentWithPrimal {
  D derivative;
  P primal;
};

} // namespace assay

namespace assay::detail {

enum class ReturnActivity { deduced, constant, active, duplicated, duplicated_no_need };

template <template <class...> class>
inline constexpr ReturnActivity named_return_activity = ReturnActivity::deduced;
template <>
inline constexpr ReturnActivity named_return_activity<Const> = ReturnActivity::constant;
template <>
inline constexpr ReturnActivity named_return_activity<Active> = ReturnActivity::active;
template <>
inline constexpr ReturnActivity named_return_activity<Duplicated> = ReturnActivity::duplicated;
template <>
inline constexpr ReturnActivity named_return_activity<DuplicatedNoNeed> = ReturnActivity::duplicated_no_need;

template <class R>
inline constexpr bool carries_no_derivative = std::is_void_v<R> || std::is_integral_v<R> || std::is_enum_v<R>;

/// The activity of a result of type R, with the readable errors for the combinations that make no sense.
template <class R, class M, ReturnActivity Named>
consteval ReturnActivity return_activity() {
  using enum ReturnActivity;
  if constexpr (is_forward<M>) {
    static_assert(Named != active, "assay: an Active return is for reverse mode; in forward mode use Duplicated");
    static_assert(Named != duplicated_no_need || !keeps_primal<M>,
                  "assay: a DuplicatedNoNeed return has no primal; use Duplicated or the mode Forward");
    static_assert(Named == deduced || Named == constant || !carries_no_derivative<R>,
                  "assay: this function returns nothing that has a derivative; use Const as return activity, or none");
    if constexpr (Named != deduced)
      return Named;
    else
      return carries_no_derivative<R> ? constant : duplicated;
  } else {
    static_assert(
        Named != duplicated && Named != duplicated_no_need,
        "assay: in reverse mode the return is Active or Const; a result that is a pointer needs the split mode");
    static_assert(
        Named != active || std::is_floating_point_v<R>,
        "assay: an Active return must be a floating-point scalar; write other results to a Duplicated argument");
    static_assert(
        Named != deduced || carries_no_derivative<R> || std::is_floating_point_v<R>,
        "assay: in reverse mode the function must return a floating-point scalar or nothing; write other results to a "
        "Duplicated argument, or give Const as return activity");
    if constexpr (Named != deduced)
      return Named;
    else
      return std::is_floating_point_v<R> ? active : constant;
  }
}

/// Whether the result comes back in registers; a result of class type is stored by the trampoline.
template <class R>
inline constexpr bool returned_by_value = std::is_void_v<R> || PassedByValue<R>;

template <class R, class M, ReturnActivity A>
using ReturnSlots = typename Concatenate<
    SlotsIf<M::options.runtime_activity, OptionSlot<Option::runtime_activity>>,
    SlotsIf<M::options.strong_zero, OptionSlot<Option::strong_zero>>,
    SlotsIf<A == ReturnActivity::constant && std::is_floating_point_v<R>, OptionSlot<Option::constant_return>>,
    SlotsIf<A == ReturnActivity::constant && std::is_pointer_v<R>, OptionSlot<Option::constant_return>>,
    SlotsIf<keeps_primal<M> && returned_by_value<R> && !std::is_void_v<R>, OptionSlot<Option::primal_return>>>::type;

/// The values that a call returns in registers: the primal, the tangent, the adjoints, as far as they exist.
template <class... List>
struct ConcatenatePacks;
template <class... T>
struct ConcatenatePacks<Pack<T...>> {
  using type = Pack<T...>;
};
template <class... A, class... B, class... Rest>
struct ConcatenatePacks<Pack<A...>, Pack<B...>, Rest...> {
  using type = typename ConcatenatePacks<Pack<A..., B...>, Rest...>::type;
};
template <bool Condition, class T>
struct PackIf {
  using type = Pack<>;
};
template <class T>
struct PackIf<true, T> {
  using type = Pack<T>;
};

template <class R, class M>
inline constexpr bool packs_primal = keeps_primal<M> && returned_by_value<R> && !std::is_void_v<R>;
template <class R, class M, ReturnActivity A>
inline constexpr bool packs_tangent = is_forward<M> && A != ReturnActivity::constant && returned_by_value<R>;

template <class R, class M, ReturnActivity A, class... P>
using ReturnedPack = typename ConcatenatePacks<typename PackIf<packs_primal<R, M>, R>::type,
                                               typename PackIf<packs_tangent<R, M, A>, R>::type,
                                               typename PackIf<P::returns_adjoint, typename P::T>::type...>::type;

} // namespace assay::detail
