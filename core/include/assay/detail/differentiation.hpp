#pragma once
// Everything about one kind of differentiated call that is known at compile time: which function the engine is given,
// the argument list of each call of the convention, and the results of those calls.

#include "assay/detail/result.hpp"

namespace assay::detail {

/// Where a result of class type and its shadows are stored; empty where results come back in registers.
template <class R, unsigned Lanes>
struct StoredResult {
  R primal{};
  std::array<R, Lanes> shadows{};

  R *primal_address() { return std::addressof(primal); }
  std::array<R *, Lanes> shadow_addresses() {
    return [this]<std::size_t... L>(std::index_sequence<L...>) {
      return std::array<R *, Lanes>{std::addressof(shadows[L])...};
    }(std::make_index_sequence<Lanes>());
  }
};
template <class R, unsigned Lanes>
  requires returned_by_value<R>
struct StoredResult<R, Lanes> {
  static R *primal_address() { return nullptr; }
  static std::array<R *, Lanes> shadow_addresses() { return {}; }
};
/// M is the mode, C the callable's parameter, P are the arguments'.
template <class M, ReturnActivity Named, Seeding S, Batch B, class C, class... P>
struct Differentiation {
  static_assert(std::invocable<typename C::Object &, typename P::Object &...>,
                "assay: the function cannot be called with the values of these annotations");
  using R = std::remove_cvref_t<std::invoke_result_t<typename C::Object &, typename P::Object &...>>;
  static constexpr unsigned lanes = B.lanes();
  static constexpr bool is_batch = B.is_batch();
  static constexpr ReturnActivity activity = return_activity<R, M, Named, S>();
  static constexpr bool direct = is_direct<typename C::Wire, P...>;
  static constexpr bool stores_result = !returned_by_value<R>;
  /// The adjoint of the result is an operand of the call.
  static constexpr bool passes_seeds =
      std::is_floating_point_v<R> && activity == ReturnActivity::active && (is_split<M> || S == Seeding::given);
  using Parameters = ParameterList<P...>;
  using Seeds = std::conditional_t<passes_seeds, std::array<R, lanes>, NoShadow>;
  using Stored = StoredResult<R, lanes>;
  using Frame = CallFrame<R, Parameters, Seeds, lanes>;

  // ---- The arguments of a call ----

  static constexpr bool is_kept(std::size_t argument) { return (M::options.kept_between >> argument & 1) != 0; }

  using Leading = ReturnSlots<R, M, activity, B>;
  using LaneSeeds = std::conditional_t<passes_seeds, typename LaneSlots<lanes>::Seeds, Slots<>>;
  template <class>
  struct SlotList;
  template <std::size_t... I>
  struct SlotList<std::index_sequence<I...>> {
    using type = typename Concatenate<std::conditional_t<stores_result, ResultSlots<lanes>, Slots<>>,
                                      std::conditional_t<direct, Slots<>, CallableSlots>,
                                      ParameterSlots<I, P, is_kept(I)>...>::type;
  };
  using Operands = typename SlotList<std::index_sequence_for<P...>>::type;

  template <ConventionCall Call>
  static auto slots() {
    using enum ConventionCall;
    if constexpr (Call == reverse && passes_seeds)
      return typename Concatenate<Leading, Slots<OptionSlot<convention::seed>>, LaneSeeds, Operands>::type();
    else if constexpr (Call == split_reverse)
      return typename Concatenate<Leading, Operands, LaneSeeds, Slots<GivenTapeSlot>>::type();
    else
      return typename Concatenate<Leading, Operands>::type();
  }

  /// The function that the engine is asked to differentiate.
  [[gnu::always_inline]] static void *target(typename C::Wire callable) {
    using Way = Trampoline<R, C, typename P::Passed...>;
    if constexpr (direct)
      return reinterpret_cast<void *>(callable);
    else if constexpr (stores_result && S == Seeding::given)
      return reinterpret_cast<void *>(&Way::fills);
    else if constexpr (stores_result)
      return reinterpret_cast<void *>(&Way::stores);
    else
      return reinterpret_cast<void *>(&Way::returns);
  }

  // ---- Its results ----

  using PrimalPack = typename PackIf<packs_primal<R, M>, R>::type;
  template <ConventionCall Call>
  static auto results() {
    using enum ConventionCall;
    if constexpr (Call == forward)
      return std::type_identity<ResultPack<R, M, activity, B>>();
    else if constexpr (Call == reverse)
      return std::type_identity<typename ConcatenatePacks<PrimalPack, AdjointPack<P...>>::type>();
    else if constexpr (Call == augmented)
      return std::type_identity<typename ConcatenatePacks<Pack<void *>, ResultPack<R, M, activity, B>>::type>();
    else
      return std::type_identity<AdjointPack<P...>>();
  }

  template <ConventionCall Call>
  [[gnu::always_inline]] static auto emit(typename C::Wire callable, Frame &frame) {
    using Results = typename decltype(results<Call>())::type;
    using Raw = typename Results::Raw;
    using List = decltype(slots<Call>());
    if constexpr (std::is_void_v<Raw>) {
      List::template emit<Call, void>(target(callable), callable, frame);
      return EmptyPack{};
    } else {
      return typename Results::Values{List::template emit<Call, Raw>(target(callable), callable, frame)};
    }
  }

  /// The primal, from the values of a call or from where it was stored; `First` is its place among the values.
  template <std::size_t First, class Values>
  static auto primal(const Values &values, Stored &stored) {
    if constexpr (packs_primal<R, M>)
      return values.template get<First>();
    else if constexpr (stores_result && keeps_primal<M>)
      return std::move(stored.primal);
    else
      return None{};
  }

  /// The shadow of a result in registers.
  template <std::size_t First, class Values>
  static auto returned_shadow(const Values &values) {
    if constexpr (packs_shadow<R, M, activity>)
      return values_of_lanes<First + (packs_primal<R, M> ? 1 : 0), R, B>(values);
    else
      return None{};
  }

  /// The adjoints of all arguments; `First` is the place of the first one among the values.
  template <std::size_t First, class Values>
  static std::tuple<typename P::Gradient...> gradient(const Values &values, const Parameters &parameters) {
    return gradient<First>(values, parameters, std::index_sequence_for<P...>());
  }

private:
  template <std::size_t First, class Values, std::size_t... I>
  static std::tuple<typename P::Gradient...> gradient(const Values &values, const Parameters &parameters,
                                                      std::index_sequence<I...> /*arguments*/) {
    return {gradient_entry<First, I>(values, parameters)...};
  }

  static constexpr std::size_t place_of_adjoint(std::size_t argument) {
    constexpr std::array<bool, sizeof...(P) + 1> returned{P::returns_adjoint..., false};
    std::size_t place = 0;
    for (std::size_t index = 0; index != argument; ++index)
      place += returned[index] ? lanes : 0;
    return place;
  }

  template <std::size_t First, std::size_t I, class Values>
  static auto gradient_entry(const Values &values, const Parameters &parameters) {
    using Parameter = __type_pack_element<I, P...>;
    if constexpr (Parameter::returns_adjoint)
      return values_of_lanes<First + place_of_adjoint(I), typename Parameter::T, B>(values);
    else if constexpr (std::is_same_v<typename Parameter::Gradient, None>)
      return None{};
    else
      return parameter_at<I>(parameters).adjoint();
  }
};

} // namespace assay::detail
