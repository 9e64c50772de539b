#pragma once
// From an annotated C++ call to a call of the C convention and back to a C++ result.

#include "assay/detail/differentiation.hpp"
#include "assay/detail/result_structure.hpp"
#include "assay/detail/traverse/clear_padding.hpp"
#include "assay/detail/traverse/duplicate.hpp"

namespace assay::detail {

/// The seed of a call that is given none.
struct UnitSeed {};

/// Result and shadows are filled apart from one another, so pointers that own numbers lead to numbers of their own.
template <class R>
R copy_with_own_memory(const R &seed) {
  R copy = clone(seed);
  give_own_memory(seed, copy);
  return copy;
}

/// Also of a value without a copy constructor because it holds std::unique_ptr.
template <class R>
R copy_of(const R &result) {
  if constexpr (Traversable<R>)
    return clone(result);
  else
    return result;
}

template <class R, class Seed>
[[gnu::always_inline]] inline R own_seed(const Seed &seed) {
  if constexpr (!seed_can_be_taken<R>)
    return {}; // refused where the activity of the result is found
  else if constexpr (std::same_as<Seed, R> && shares_on_copy<R>())
    return copy_with_own_memory(seed);
  else
    return static_cast<R>(seed);
}

/// The adjoint of the result in a lane. Its type is deduced, as that of seeds_of: an error is then said with the
/// line of the call.
template <class D, std::size_t Lane, class Seed>
[[gnu::always_inline]] inline auto seed_in_lane(const Seed &seed) {
  if constexpr (D::is_batch) {
    static_assert(LanesOfShadows<Seed>,
                  "assay: in a batched call Seed is a std::array with one adjoint of the result for each lane");
    constexpr bool fits = std::tuple_size_v<Seed> == D::lanes;
    static_assert(fits || Lane > 0, "assay: Seed has another number of lanes than the batched arguments");
    if constexpr (fits)
      return own_seed<typename D::R>(std::get<Lane>(seed));
    else
      return typename D::R{};
  } else {
    constexpr bool fits = std::same_as<Seed, typename D::R> || std::convertible_to<const Seed &, typename D::R>;
    static_assert(fits, "assay: Seed is the adjoint of the result, so it has the result's type");
    if constexpr (fits)
      return own_seed<typename D::R>(seed);
    else
      return typename D::R{};
  }
}

template <class D, class Seed>
[[gnu::always_inline]] inline auto seeds_of(const Seed &seed) {
  if constexpr (!D::passes_seeds || std::same_as<Seed, UnitSeed>)
    return typename D::Seeds{};
  else
    return [&]<std::size_t... L>(std::index_sequence<L...>) {
      return typename D::Seeds{seed_in_lane<D, L>(seed)...};
    }(std::make_index_sequence<D::lanes>());
}

/// A result and its shadows that have the shape and the numbers of the seeds.
template <class D, class Seed>
typename D::Stored seeded_result(const Seed &seed) {
  return [&]<std::size_t... L>(std::index_sequence<L...>) {
    return typename D::Stored{seed_in_lane<D, 0>(seed), {seed_in_lane<D, L>(seed)...}};
  }(std::make_index_sequence<D::lanes>());
}

template <class D, class Seed>
[[gnu::always_inline]] inline auto stored_result(const Seed &seed) {
  if constexpr (!D::stores_result || std::same_as<Seed, UnitSeed>)
    return typename D::Stored{};
  else
    return seeded_result<D>(seed);
}

template <class M, class D, class Values, class Parameters, class Stored>
auto reverse_result(const Values &values, const Parameters &parameters, Stored &stored) {
  using R = typename D::R;
  auto adjoints = D::template gradient<packs_primal<R, M> ? 1 : 0>(values, parameters);
  return [&]<class... G>(std::tuple<G...> &gradients) {
    if constexpr (keeps_primal<M>) {
      auto primal = D::template primal<0>(values, stored);
      return GradientsWithPrimal<decltype(primal), G...>{std::move(gradients), std::move(primal)};
    } else {
      return Gradients<G...>{std::move(gradients)};
    }
  }(adjoints);
}

template <class D, class Values, class Stored>
auto tangent(const Values &values, Stored &stored) {
  if constexpr (!D::stores_result || D::activity == ReturnActivity::constant) {
    return D::template returned_shadow<0>(values);
  } else {
    if constexpr (!std::is_trivially_copyable_v<typename D::R>)
      for (auto &shadow : stored.shadows) {
        adopt_structure(std::as_const(stored.primal), shadow);
        copy_inert_parts(std::as_const(stored.primal), shadow);
      }
    if constexpr (D::is_batch)
      return std::move(stored.shadows);
    else
      return std::move(stored.shadows[0]);
  }
}

template <class M, class D, class Values, class Stored>
auto forward_result(const Values &values, Stored &stored) {
  if constexpr (keeps_primal<M>) {
    auto derivative = tangent<D>(values, stored);
    return TangentWithPrimal{std::move(derivative), D::template primal<0>(values, stored)};
  } else {
    return Tangent{tangent<D>(values, stored)};
  }
}

template <class M, ReturnActivity Named, Batch B, class C, class Seed, class... P>
[[gnu::always_inline]] inline auto run(typename C::Wire callable, const Seed &seed, P... parameter) {
  using D = Differentiation<M, Named, std::same_as<Seed, UnitSeed> ? Seeding::one : Seeding::given, B, C, P...>;
  typename D::Parameters parameters{{std::move(parameter)}...};
  typename D::Stored stored = stored_result<D>(seed);
  if constexpr (D::stores_result && !std::same_as<Seed, UnitSeed>)
    for (auto &shadow : stored.shadows)
      clear_between_members(shadow);
  typename D::Frame frame{stored.primal_address(), stored.shadow_addresses(), parameters, seeds_of<D>(seed), nullptr};
  constexpr ConventionCall kind = is_forward<M> ? ConventionCall::forward : ConventionCall::reverse;
  parameters.note_memory();
  const auto values = D::template emit<kind>(callable, frame);
  parameters.require_unmoved();
  if constexpr (is_forward<M>)
    return forward_result<M, D>(values, stored);
  else
    return reverse_result<M, D>(values, parameters, stored);
}

/// The adjoints without the callable's own entry.
template <class First, class... Rest>
std::tuple<Rest...> without_first(const std::tuple<First, Rest...> &adjoints) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<Rest...>(std::get<I + 1>(adjoints)...);
  }(std::index_sequence_for<Rest...>());
}
template <class First, class... Rest>
Gradients<Rest...> without_callable(const Gradients<First, Rest...> &result) {
  return {without_first(result.gradient)};
}
template <class Primal, class First, class... Rest>
GradientsWithPrimal<Primal, Rest...> without_callable(GradientsWithPrimal<Primal, First, Rest...> result) {
  return {without_first(result.gradient), std::move(result.primal)};
}
template <class D>
Tangent<D> without_callable(Tangent<D> result) {
  return result;
}
template <class D, class P>
TangentWithPrimal<D, P> without_callable(TangentWithPrimal<D, P> result) {
  return result;
}

template <class... A>
consteval bool are_annotated() {
  static_assert(
      (Annotation<A> && ...),
      "assay: every argument needs an annotation: Const{x}, Active{x}, Duplicated{x, dx}, DuplicatedNoNeed{x, "
      "dx} or BatchDuplicated{x, std::array{dx1, dx2}}");
  return (Annotation<A> && ...);
}

/// The callable as a parameter that carries no derivative.
template <class F>
[[gnu::always_inline]] inline auto callable_wire(F &function) {
  if constexpr (std::is_function_v<F>)
    return &function;
  else if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>)
    return function;
  else
    return std::addressof(function);
}
template <class F>
struct CallableParameter {
  using type = ConstCallable<F>;
};
template <class F>
  requires std::is_function_v<F>
struct CallableParameter<F> {
  using type = ConstCallable<F *>;
};
template <class F>
  requires(std::is_pointer_v<F> || std::is_member_pointer_v<F>)
struct CallableParameter<F> {
  using type = ConstCallable<std::remove_cv_t<F>>;
};

template <class M, ReturnActivity Named, class F, class Seed, class... A>
[[gnu::always_inline]] inline auto differentiate_seeded(F &function, const Seed &seed, A &...arguments) {
  if constexpr (!are_annotated<A...>()) {
    return None{};
  } else if constexpr (is_const_annotation<std::remove_cv_t<F>>) {
    return differentiate_seeded<M, Named>(function.value, seed, arguments...);
  } else if constexpr (Annotation<F>) {
    constexpr bool has_shadow = is_duplicated_annotation<std::remove_cv_t<F>>;
    static_assert(has_shadow, "assay: a callable is Const or Duplicated");
    if constexpr (has_shadow) {
      constexpr Batch batch = batch_of<std::remove_cv_t<F>, std::remove_cv_t<A>...>();
      static_assert(Parameter<F &, M, batch>::is_valid() && (Parameter<A &, M, batch>::is_valid() && ...));
      return without_callable(run<M, Named, batch, ConstCallable<const CallFirst>>(
          &call_first, seed, Parameter<F &, M, batch>(function), Parameter<A &, M, batch>(arguments)...));
    }
  } else {
    constexpr Batch batch = batch_of<std::remove_cv_t<A>...>();
    static_assert((Parameter<A &, M, batch>::is_valid() && ...));
    return run<M, Named, batch, typename CallableParameter<F>::type>(callable_wire(function), seed,
                                                                     Parameter<A &, M, batch>(arguments)...);
  }
}

template <class M, ReturnActivity Named, class F, class... A>
[[gnu::always_inline]] inline auto differentiate(F &function, A &...arguments) {
  return differentiate_seeded<M, Named>(function, UnitSeed{}, arguments...);
}
template <class M, ReturnActivity Named, class F, class S, class... A>
  requires is_seed<std::remove_cv_t<S>>
[[gnu::always_inline]] inline auto differentiate(F &function, S &seed, A &...arguments) {
  static_assert(!is_forward<M>, "assay: Seed is for reverse mode; in forward mode the shadows are the tangents");
  return differentiate_seeded<M, Named>(function, seed.value, arguments...);
}

/// The readable error for a split mode where one function does both passes. set_holomorphic has refused a holomorphic
/// one.
template <class M>
consteval void require_combined_mode() {
  static_assert(!is_split<std::remove_cv_t<M>> || std::remove_cv_t<M>::options.holomorphic,
                "assay: a split mode has two functions: autodiff_thunk<ReverseSplitWithPrimal>(f, type<...>...)");
}

/// The activity that a template names, for a call with these annotations.
template <template <class...> class Return, class... A>
consteval ReturnActivity return_activity_called() {
  constexpr ReturnActivity named = named_return_activity<Return>;
  static_assert(named != ReturnActivity::deduced,
                "assay: the activity of the result is one of Const, Active, Duplicated, DuplicatedNoNeed, "
                "BatchDuplicated, BatchDuplicatedNoNeed");
  static_assert(!names_batch<Return> || (is_batch_annotation<std::remove_cvref_t<A>> || ...),
                "assay: a batched return needs batched arguments: BatchDuplicated{x, std::array{dx1, dx2}}");
  return named;
}

} // namespace assay::detail
