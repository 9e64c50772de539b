#pragma once
// From an annotated C++ call to a call of the C convention and back to a C++ result.

#include "assay/detail/result.hpp"

namespace assay::detail {

/// Everything about one kind of call that is known at compile time. C is the callable's parameter, P the arguments'.
template <class M, ReturnActivity Named, class C, class... P>
struct Differentiation {
  static_assert(std::invocable<typename C::Object &, typename P::Object &...>,
                "assay: the function cannot be called with the values of these annotations");
  using R = std::remove_cvref_t<std::invoke_result_t<typename C::Object &, typename P::Object &...>>;
  static constexpr ReturnActivity activity = return_activity<R, M, Named>();
  static constexpr bool direct = is_direct<typename C::Wire, P...>;
  static constexpr bool stores_result = !returned_by_value<R>;
  using Results = ReturnedPack<R, M, activity, P...>;
  using Raw = typename Results::Raw;
  using Parameters = std::tuple<P...>;

  template <class>
  struct SlotList;
  template <std::size_t... I>
  struct SlotList<std::index_sequence<I...>> {
    using type =
        typename Concatenate<ReturnSlots<R, M, activity>, std::conditional_t<stores_result, ResultSlots, Slots<>>,
                             std::conditional_t<direct, Slots<>, CallableSlots>, ParameterSlots<I, P>...>::type;
  };
  using Arguments = typename SlotList<std::index_sequence_for<P...>>::type;

  /// What the engine is asked to differentiate.
  [[gnu::always_inline]] static void *target(typename C::Wire callable) {
    if constexpr (direct)
      return reinterpret_cast<void *>(callable);
    else if constexpr (stores_result)
      return reinterpret_cast<void *>(&Trampoline<R, C, P...>::stores);
    else
      return reinterpret_cast<void *>(&Trampoline<R, C, P...>::returns);
  }

  // ---- Results ----

  template <std::size_t I, class Values>
  static auto gradient_entry(const Values &values, const Parameters &parameters) {
    using Parameter = std::tuple_element_t<I, Parameters>;
    if constexpr (Parameter::returns_adjoint) {
      constexpr bool returned[] = {P::returns_adjoint...};
      constexpr std::size_t position = [&] {
        std::size_t count = packs_primal<R, M> ? 1 : 0;
        for (std::size_t i = 0; i != I; ++i)
          count += returned[i] ? 1 : 0;
        return count;
      }();
      return values.template get<position>();
    } else if constexpr (std::is_same_v<typename Parameter::Gradient, None>) {
      return None{};
    } else {
      return std::get<I>(parameters).adjoint();
    }
  }

  template <class Values, std::size_t... I>
  static std::tuple<typename P::Gradient...> gradient(const Values &values, const Parameters &parameters,
                                                      std::index_sequence<I...>) {
    return {gradient_entry<I>(values, parameters)...};
  }

  template <class Values, class Stored>
  static auto primal(const Values &values, Stored &stored) {
    if constexpr (packs_primal<R, M>)
      return values.template get<0>();
    else if constexpr (stores_result)
      return std::move(stored.primal);
    else
      return None{};
  }

  template <class Values, class Stored>
  static auto tangent(const Values &values, Stored &stored) {
    if constexpr (packs_tangent<R, M, activity>)
      return values.template get<packs_primal<R, M> ? 1 : 0>();
    else if constexpr (stores_result && activity != ReturnActivity::constant)
      return std::move(stored.shadow);
    else
      return None{};
  }

  template <class Values, class Stored>
  static auto result(const Values &values, const Parameters &parameters, Stored &stored) {
    if constexpr (is_forward<M> && keeps_primal<M>) {
      return TangentWithPrimal{tangent(values, stored), primal(values, stored)};
    } else if constexpr (is_forward<M>) {
      return Tangent{tangent(values, stored)};
    } else {
      auto adjoints = gradient(values, parameters, std::index_sequence_for<P...>());
      if constexpr (keeps_primal<M>)
        return with_primal(std::move(adjoints), primal(values, stored));
      else
        return Gradients<typename P::Gradient...>{std::move(adjoints)};
    }
  }
  template <class Primal>
  static auto with_primal(std::tuple<typename P::Gradient...> adjoints, Primal primal) {
    return GradientsWithPrimal<Primal, typename P::Gradient...>{std::move(adjoints), std::move(primal)};
  }
};

/// Where a result of class type and its shadow are stored.
template <class R>
struct StoredResult {
  R primal{}, shadow{};
  R *primal_address() { return std::addressof(primal); }
  R *shadow_address() { return std::addressof(shadow); }
};
template <class R>
  requires returned_by_value<R>
struct StoredResult<R> {
  R *primal_address() { return nullptr; }
  R *shadow_address() { return nullptr; }
};

template <class M, ReturnActivity Named, class C, class... P>
[[gnu::always_inline]] inline auto run(typename C::Wire callable, P... parameter) {
  using D = Differentiation<M, Named, C, P...>;
  std::tuple<P...> parameters(std::move(parameter)...);
  StoredResult<typename D::R> stored;
  const ResultAddress<typename D::R> address{stored.primal_address(), stored.shadow_address()};
  if constexpr (std::is_void_v<typename D::Raw>) {
    D::Arguments::template emit<void, M>(D::target(callable), callable, address, parameters);
    return D::result(EmptyPack{}, parameters, stored);
  } else {
    const typename D::Results::Values values{
        D::Arguments::template emit<typename D::Raw, M>(D::target(callable), callable, address, parameters)};
    return D::result(values, parameters, stored);
  }
}

/// The adjoints without the callable's own entry.
template <class First, class... Rest>
auto without_first(const std::tuple<First, Rest...> &adjoints) {
  return std::apply([](const First & /*callable*/, const Rest &...rest) { return std::tuple<Rest...>(rest...); },
                    adjoints);
}
template <class First, class... Rest>
Gradients<Rest...> without_callable(const Gradients<First, Rest...> &result) {
  return {without_first(result.gradient)};
}
template <class Primal, class First, class... Rest>
GradientsWithPrimal<Primal, Rest...> without_callable(const GradientsWithPrimal<Primal, First, Rest...> &result) {
  return {without_first(result.gradient), result.primal};
}
template <class D>
Tangent<D> without_callable(Tangent<D> result) {
  return result;
}
template <class D, class P>
TangentWithPrimal<D, P> without_callable(TangentWithPrimal<D, P> result) {
  return result;
}

template <class M, ReturnActivity Named, class F, class... A>
[[gnu::always_inline]] inline auto differentiate(F &function, A &...arguments) {
  static_assert(
      (Annotation<A> && ...),
      "assay: every argument needs an annotation: Const{x}, Active{x}, Duplicated{x, dx} or DuplicatedNoNeed{x, dx}");
  if constexpr (!(Annotation<A> && ...)) {
    return None{};
  } else if constexpr (is_const_annotation<std::remove_cv_t<F>>) {
    return differentiate<M, Named>(function.value, arguments...);
  } else if constexpr (Annotation<F>) {
    static_assert(is_duplicated_annotation<std::remove_cv_t<F>>, "assay: a callable is Const or Duplicated");
    return without_callable(run<M, Named, ConstCallable<const CallFirst>>(&call_first, Parameter<F &, M>(function),
                                                                          Parameter<A &, M>(arguments)...));
  } else if constexpr (std::is_function_v<F>) {
    return run<M, Named, ConstCallable<F *>>(&function, Parameter<A &, M>(arguments)...);
  } else if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>) {
    return run<M, Named, ConstCallable<std::remove_cv_t<F>>>(function, Parameter<A &, M>(arguments)...);
  } else {
    return run<M, Named, ConstCallable<F>>(std::addressof(function), Parameter<A &, M>(arguments)...);
  }
}

} // namespace assay::detail
