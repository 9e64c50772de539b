#pragma once
// The activity of the differentiated function's result, and which results a call therefore has.

#include "assay/detail/call.hpp"
#include "assay/detail/traverse/kinds.hpp"
#include "assay/results.hpp"

namespace assay::detail {

enum class ReturnActivity : std::uint8_t { deduced, constant, active, duplicated, duplicated_no_need };

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
template <>
inline constexpr ReturnActivity named_return_activity<BatchDuplicated> = ReturnActivity::duplicated;
template <>
inline constexpr ReturnActivity named_return_activity<BatchDuplicatedNoNeed> = ReturnActivity::duplicated_no_need;

/// BatchDuplicated as activity of the result asks for batched arguments; Duplicated goes with both.
template <template <class...> class>
inline constexpr bool names_batch = false;
template <>
inline constexpr bool names_batch<BatchDuplicated> = true;
template <>
inline constexpr bool names_batch<BatchDuplicatedNoNeed> = true;

template <class R>
inline constexpr bool carries_no_derivative = std::is_void_v<R> || std::is_integral_v<R> || std::is_enum_v<R>;

/// A result that is seeded with an adjoint of its own type.
template <class R>
inline constexpr bool takes_seed = std::is_floating_point_v<R> || (!carries_no_derivative<R> && !std::is_pointer_v<R>);

template <class R>
consteval bool shares_on_copy() {
  if constexpr (Traversable<R>)
    return SummaryOf<R>::refers || SummaryOf<R>::move_only;
  else
    return false;
}

template <class T>
consteval bool refers_to_others();
template <class... Part>
consteval bool any_refers_to_others(TypeList<Part...> /*parts*/) {
  return (refers_to_others<std::remove_cv_t<Part>>() || ...);
}
/// Numbers behind it are not the result's own.
template <class T>
consteval bool refers_to_others() {
  if constexpr (Traversable<T>)
    return SummaryOf<T>::borrows && HasNumbers<T>;
  else if constexpr (std::is_pointer_v<T>)
    return true;
  else if constexpr (kind_of<T>() == Kind::unique || kind_of<T>() == Kind::shared)
    return false;
  else
    return any_refers_to_others(typename PartsOf<T>::type());
}

template <class R>
inline constexpr bool seed_can_be_copied = shares_on_copy<R>() || std::copy_constructible<R>;
template <class R>
inline constexpr bool seed_can_be_taken = !refers_to_others<R>() && seed_can_be_copied<R>;

enum class Seeding : std::uint8_t {
  one,  ///< A scalar result has the adjoint 1.
  given ///< The caller gives the adjoint.
};

template <class R, ReturnActivity Named>
consteval ReturnActivity forward_return_activity() {
  using enum ReturnActivity;
  static_assert(Named != active, "assay: an Active return is for reverse mode; in forward mode use Duplicated");
  static_assert(Named == deduced || Named == constant || !carries_no_derivative<R>,
                "assay: this function returns nothing that has a derivative; use Const as return activity, or none");
  if constexpr (Named != deduced)
    return Named;
  else
    return carries_no_derivative<R> ? constant : duplicated;
}

template <class R, ReturnActivity Named, Seeding S>
consteval ReturnActivity reverse_return_activity() {
  using enum ReturnActivity;
  static_assert(
      Named != duplicated && Named != duplicated_no_need,
      "assay: in reverse mode the return is Active or Const; a result that is a pointer needs the split mode");
  static_assert(S == Seeding::one || takes_seed<R>,
                "assay: Seed is the adjoint of the result, but this function returns nothing that has one");
  static_assert(S == Seeding::one || Named != constant, "assay: a Const return has no adjoint: leave Seed out");
  static_assert(Named != active || takes_seed<R>,
                "assay: an Active return must be a floating-point scalar, or a value that is given an adjoint with "
                "Seed{dy}");
  static_assert(Named == constant || S == Seeding::given || carries_no_derivative<R> || std::is_floating_point_v<R>,
                "assay: in reverse mode the function must return a floating-point scalar or nothing; give the adjoint "
                "of any other result before the arguments, Seed{dy}, or Const as return activity");
  static_assert(S == Seeding::one || !takes_seed<R> || !refers_to_others<R>(),
                "assay: a result that refers to numbers which it does not own, as a std::span or a pointer does, takes "
                "no Seed: return the numbers, or give a shadow of what it refers to, with Duplicated");
  static_assert(S == Seeding::one || !takes_seed<R> || seed_can_be_copied<R>,
                "assay: a result that cannot be copied takes no Seed, unless its parts are known: give its class a "
                "function assay_fields(x) that returns std::tie of its members");
  if constexpr (Named != deduced)
    return Named;
  else
    return takes_seed<R> ? active : constant;
}

template <class R, ReturnActivity Named>
consteval ReturnActivity split_return_activity() {
  using enum ReturnActivity;
  static_assert(Named == deduced || Named == constant || !carries_no_derivative<R>,
                "assay: this function returns nothing that has a derivative; use Const as return activity, or none");
  static_assert(Named != active || takes_seed<R>,
                "assay: an Active return has an adjoint of its own type; a result that is a pointer is Duplicated");
  static_assert((Named != duplicated && Named != duplicated_no_need) || !std::is_floating_point_v<R>,
                "assay: a floating-point result has no shadow in reverse mode: it is Active, or Const");
  static_assert(Named != active || !takes_seed<R> || !refers_to_others<R>(),
                "assay: a result that refers to numbers which it does not own, as a std::span or a pointer does, takes "
                "no Seed: return the numbers, or give a shadow of what it refers to, with Duplicated");
  static_assert(Named != active || !takes_seed<R> || seed_can_be_copied<R>,
                "assay: a result that cannot be copied takes no Seed, unless its parts are known: give its class a "
                "function assay_fields(x) that returns std::tie of its members");
  if constexpr (Named != deduced)
    return Named;
  else if constexpr (std::is_pointer_v<R> || (takes_seed<R> && !seed_can_be_taken<R>))
    return duplicated;
  else
    return takes_seed<R> ? active : constant;
}

/// The activity of a result of type R, with the readable errors for the combinations that make no sense.
template <class R, class M, ReturnActivity Named, Seeding S>
consteval ReturnActivity return_activity() {
  using enum ReturnActivity;
  static_assert(Named != duplicated_no_need || !keeps_primal<M>,
                "assay: a DuplicatedNoNeed return has no primal; use Duplicated or a mode without primal");
  if constexpr (is_forward<M>)
    return forward_return_activity<R, Named>();
  else if constexpr (is_split<M>)
    return split_return_activity<R, Named>();
  else
    return reverse_return_activity<R, Named, S>();
}

/// Whether the result comes back in registers; a result of class type is stored by the trampoline.
template <class R>
inline constexpr bool returned_by_value = std::is_void_v<R> || PassedByValue<R>;

template <class R, class M>
inline constexpr bool packs_primal = keeps_primal<M> && returned_by_value<R> && !std::is_void_v<R>;

template <class R, class M, ReturnActivity A, Batch B>
using ReturnSlots =
    typename Concatenate<SlotsIf<B.is_batch(), OptionSlot<convention::width>, WidthSlot<B.lanes()>>,
                         SlotsIf<M::options.runtime_activity, OptionSlot<convention::runtime_activity>>,
                         SlotsIf<M::options.strong_zero, OptionSlot<convention::strong_zero>>,
                         SlotsIf<M::options.loose_types, OptionSlot<convention::loose_types>>,
                         SlotsIf<!M::options.strict_aliasing, OptionSlot<convention::no_strict_aliasing>>,
                         SlotsIf<!M::options.type_warning, OptionSlot<convention::no_type_warning>>,
                         SlotsIf<is_split<M>, OptionSlot<convention::drop_list>, DropListSlot>,
                         SlotsIf<A == ReturnActivity::constant && (std::is_floating_point_v<R> || std::is_pointer_v<R>),
                                 OptionSlot<convention::constant_return>>,
                         SlotsIf<is_split<M> && !keeps_primal<M>, OptionSlot<convention::no_primal_return>>,
                         SlotsIf<!is_split<M> && packs_primal<R, M>, OptionSlot<convention::primal_return>>>::type;

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

template <class T, class Lanes>
struct PackOfLanes;
template <class T, unsigned... Lane>
struct PackOfLanes<T, std::integer_sequence<unsigned, Lane...>> {
  template <unsigned>
  using Same = T;
  using type = Pack<Same<Lane>...>;
};
/// A T for each lane, or nothing.
template <bool Condition, class T, unsigned Lanes>
struct LanesIf {
  using type = Pack<>;
};
template <class T, unsigned Lanes>
struct LanesIf<true, T, Lanes> : PackOfLanes<T, std::make_integer_sequence<unsigned, Lanes>> {};

/// The shadow comes back with the result: a tangent in forward mode, a pointer in split mode.
template <class R, class M, ReturnActivity A>
inline constexpr bool packs_shadow =
    (is_forward<M> || std::is_pointer_v<R>) && A != ReturnActivity::constant && returned_by_value<R>;

/// The results of split mode's forward pass come after the tape.
template <class R, class M, ReturnActivity A, Batch B>
using ResultPack = typename ConcatenatePacks<typename PackIf<packs_primal<R, M>, R>::type,
                                             typename LanesIf<packs_shadow<R, M, A>, R, B.lanes()>::type>::type;
template <class... P>
using AdjointPack =
    typename ConcatenatePacks<Pack<>, typename LanesIf<P::returns_adjoint, typename P::T, P::lanes>::type...>::type;

/// Consecutive values of a pack from `First`, as a call hands them out: one, or an array with one for each lane.
template <std::size_t First, class T, Batch B, class Values>
[[gnu::always_inline]] inline in_lanes<T, B> values_of_lanes(const Values &values) {
  if constexpr (B.is_batch())
    return [&]<std::size_t... L>(std::index_sequence<L...>) {
      return std::array<T, B.lanes()>{values.template get<First + L>()...};
    }(std::make_index_sequence<B.lanes()>());
  else
    return values.template get<First>();
}

} // namespace assay::detail
