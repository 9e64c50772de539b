#pragma once
// Gradients of whole functions: every argument is differentiated, no shadow has to be prepared.
//
//   gradient<Reverse>(f, x)              the gradient, of the shape of x; a tuple of gradients for several arguments
//   gradient(Reverse, dx, f, x)          the same into dx, which is zeroed first
//   gradient<Forward>(f, x)              the same by one forward run for each number of x
//   gradient<Forward, Chunk<4>>(f, x)    by forward runs of four lanes
//   gradient<ReverseWithPrimal>(f, x)    {gradient, primal}
//
// Members that are no numbers, as integers and strings, keep their value in x.

#include "assay/activity.hpp"
#include "assay/detail/differentiate.hpp"
#include "assay/detail/own_shadow.hpp"

namespace assay {

template <class G, class P>
struct GradientAndPrimal {
  G gradient;
  P primal;
};

namespace detail {

template <class T>
inline constexpr bool is_scalar_input = std::floating_point<std::remove_cvref_t<T>>;

template <class T>
[[gnu::always_inline]] inline auto reverse_annotation(T &x, OwnShadowOf<T> &shadow) {
  if constexpr (is_scalar_input<T>)
    return Active<std::remove_cv_t<T>>{x};
  else
    return Duplicated<T &, std::remove_reference_t<decltype(shadow.get())> &>{x, shadow.get()};
}

/// The gradient of one argument: from the tuple for a scalar, else from the shadow.
template <std::size_t I, class T, class Tuple>
auto collect(const Tuple &adjoints, OwnShadowOf<T> &shadow) {
  if constexpr (is_scalar_input<T>)
    return std::get<I>(adjoints);
  else
    return std::move(shadow.owner());
}

template <class T>
decltype(auto) single_or_tuple(T &&results) {
  if constexpr (std::tuple_size_v<std::remove_cvref_t<T>> == 1)
    return std::get<0>(std::forward<T>(results));
  else
    return std::forward<T>(results);
}

template <class M, class F, class... T, std::size_t... I>
[[gnu::always_inline]] inline auto reverse_gradient(F &function, std::index_sequence<I...> /*positions*/, T &...x) {
  std::tuple<OwnShadowOf<T>...> shadows(x...);
  auto result =
      differentiate_values<M, ReturnActivity::deduced>(function, reverse_annotation(x, std::get<I>(shadows))...);
  auto gradients = std::make_tuple(collect<I, T>(result.gradient, std::get<I>(shadows))...);
  using G = std::remove_cvref_t<decltype(single_or_tuple(std::move(gradients)))>;
  if constexpr (keeps_primal<M>)
    return GradientAndPrimal<G, decltype(result.primal)>{single_or_tuple(std::move(gradients)),
                                                         std::move(result.primal)};
  else
    return G(single_or_tuple(std::move(gradients)));
}

/// The derivatives along the numbers of one argument, the others constant: `use(number, derivative)`.
template <class M, unsigned N, std::size_t Varied, class F, class Use, std::size_t... I, class... T>
[[gnu::always_inline]] inline void for_each_partial(F &function, Use use, std::index_sequence<I...> /*arguments*/,
                                                    T &...x) {
  auto &varied = std::get<Varied>(std::tie(x...));
  using X = std::remove_cvref_t<decltype(varied)>;
  OwnShadows<X, N> shadows(varied);
  for (Directions<X, N> directions(shadows); directions.next();) {
    auto derivatives =
        differentiate_values<M, ReturnActivity::deduced>(function, annotate_varied<I, Varied>(shadows, x)...)
            .derivative;
    for (unsigned lane = 0; lane != directions.lanes(); ++lane)
      use(directions.first() + lane, lane_of<N>(derivatives, lane));
  }
}

/// One argument's gradient of a scalar result, by forward mode.
template <class M, unsigned N, std::size_t Varied, class F, class... T>
[[gnu::always_inline]] inline auto forward_gradient(F &function, T &...x) {
  auto &varied = std::get<Varied>(std::tie(x...));
  using X = std::remove_cvref_t<decltype(varied)>;
  if constexpr (is_scalar_input<X>) {
    X gradient{};
    for_each_partial<M, N, Varied>(
        function, [&](std::size_t, const auto &derivative) { gradient = static_cast<X>(derivative); },
        std::index_sequence_for<T...>(), x...);
    return gradient;
  } else {
    OwnShadow<X> gradient(varied);
    const NumberPlaces places(gradient.get());
    for_each_partial<M, N, Varied>(
        function, [&](std::size_t number, const auto &derivative) { places.set(number, derivative); },
        std::index_sequence_for<T...>(), x...);
    return std::move(gradient.owner());
  }
}

/// The same of a result that is no scalar: a container with the derivative along each element of x.
template <class M, unsigned N, class F, class T>
[[gnu::always_inline]] inline auto forward_derivatives(F &function, T &x) {
  using X = std::remove_cv_t<T>;
  using D = std::remove_cvref_t<std::invoke_result_t<F &, T &>>;
  if constexpr (is_scalar_input<X>) {
    Duplicated<T &, X> annotation{x, X(1)};
    return differentiate<M, ReturnActivity::deduced>(function, annotation).derivative;
  } else {
    using C = typename ArrayValue<X>::type;
    static_assert(is_container<C> && std::floating_point<std::remove_cv_t<typename C::value_type>>,
                  "assay: gradient<Forward> of a function whose result is no number takes a scalar or a std::array, "
                  "std::vector or std::span; jacobian takes any argument");
    typename ForEachElement<C, D>::type derivatives{};
    if constexpr (!is_std_array<C>)
      derivatives.resize(x.size());
    for_each_partial<M, N, 0>(
        function, [&](std::size_t number, const auto &derivative) { derivatives[number] = derivative; },
        std::index_sequence<0>(), x);
    return derivatives;
  }
}

template <class M, unsigned N, class F, class... T, std::size_t... I>
[[gnu::always_inline]] inline auto forward_gradients(F &function, std::index_sequence<I...> /*positions*/, T &...x) {
  using R = std::remove_cvref_t<std::invoke_result_t<F &, T &...>>;
  if constexpr (std::floating_point<R>) {
    return single_or_tuple(std::make_tuple(forward_gradient<M, N, I>(function, x...)...));
  } else {
    static_assert(sizeof...(T) == 1, "assay: gradient of several arguments is for functions with a floating-point "
                                     "result; jacobian takes any result");
    return forward_derivatives<M, N>(function, x...);
  }
}

/// The readable errors for a gradient.
template <class F, class... T>
consteval bool has_gradient() {
  constexpr bool callable = std::invocable<F &, T &...>;
  static_assert(callable, "assay: the function of gradient cannot be called with these arguments");
  if constexpr (callable) {
    using R = std::remove_cvref_t<std::invoke_result_t<F &, T &...>>;
    static_assert(!carries_no_derivative<R>, "assay: the function of gradient returns nothing that has a derivative");
    return !carries_no_derivative<R> && (has_numbers_to_vary<T>() && ...);
  }
  return false;
}

} // namespace detail

/// The gradient of a real-valued function at `x`, with the shape of `x`; of several arguments a tuple.
template <auto M, class C = Chunk<1>, class F, class... T>
  requires(DifferentiationMode<decltype(M)>)
[[gnu::always_inline]] inline auto gradient(F &&function, T &&...x) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  static_assert(!detail::is_split<ModeType>, "assay: gradient is for the modes in one function");
  static_assert(detail::is_chunk<C>, "assay: the second parameter of gradient is a Chunk<N>");
  static_assert(sizeof...(T) > 0, "assay: gradient needs the arguments of the function");
  if constexpr (!detail::has_gradient<F, T...>()) {
    return None{};
  } else if constexpr (detail::is_forward<ModeType>) {
    static_assert(!detail::keeps_primal<ModeType>, "assay: gradient with the primal is for ReverseWithPrimal");
    return detail::forward_gradients<ModeType, detail::lanes_of_chunk<C>>(function, std::index_sequence_for<T...>(),
                                                                          x...);
  } else {
    static_assert(detail::lanes_of_chunk<C> == 1,
                  "assay: Chunk<N> is for gradient<Forward>: reverse mode has the whole gradient at once");
    return detail::reverse_gradient<ModeType>(function, std::index_sequence_for<T...>(), x...);
  }
}

/// Writes the gradient at `x` into `dx`, a shadow of the same type and shape, which is zeroed first. Returns `dx`.
template <DifferentiationMode M, class F, class T, class Shadow>
[[gnu::always_inline]] inline Shadow &gradient(M /*mode*/, Shadow &dx, F &&function, T &&x) {
  static_assert(!detail::is_forward<M>, "assay: gradient into a shadow is for reverse mode");
  if constexpr (detail::has_gradient<F, T>()) {
    auto &shadow = detail::shadow_for<std::remove_cvref_t<T>>(dx);
    set_zero(shadow);
    Duplicated<T &, std::remove_reference_t<decltype(shadow)> &> annotation{x, shadow};
    detail::differentiate<M, detail::ReturnActivity::deduced>(function, annotation);
  }
  return dx;
}

} // namespace assay
