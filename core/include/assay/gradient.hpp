#pragma once
// Gradients of whole functions: every argument is differentiated, no shadow has to be prepared.
//
//   gradient<Reverse>(f, x)        the gradient, of the shape of x; a tuple of gradients for several arguments
//   gradient(Reverse, dx, f, x)    the same into dx, which is zeroed first
//   gradient<Forward>(f, x)        the same by one forward run for each element
//   gradient<ReverseWithPrimal>    {gradient, primal}

#include "assay/autodiff.hpp"

namespace assay {

template <class G, class P>
struct GradientAndPrimal {
  G gradient;
  P primal;
};

namespace detail {

template <class T>
inline constexpr bool is_scalar_input = std::floating_point<std::remove_cvref_t<T>>;

/// The shadow that belongs to `x` and writes into the storage `zero` that make_zero(x) gave.
template <class T, class Z>
decltype(auto) shadow_of(const T & /*x*/, Z &zero) {
  if constexpr (is_span<T>)
    return without_const<T>(zero.data(), zero.size());
  else
    return (zero);
}

template <class T, class Z>
auto reverse_annotation(T &x, Z &zero) {
  if constexpr (is_scalar_input<T>)
    return Active<std::remove_cv_t<T>>{x};
  else if constexpr (is_span<std::remove_cv_t<T>>)
    return Duplicated<T &, without_const<T>>{x, shadow_of(x, zero)};
  else
    return Duplicated<T &, Z &>{x, zero};
}

/// The gradient of one argument: from the tuple for a scalar, else from the shadow.
template <std::size_t I, class T, class Tuple, class Z>
auto collect(const Tuple &adjoints, Z &zero) {
  if constexpr (is_scalar_input<T>)
    return std::get<I>(adjoints);
  else
    return std::move(zero);
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
  auto zeros = std::make_tuple(make_zero(x)...);
  auto run = [&](auto... annotation) __attribute__((always_inline)) {
    return differentiate<M, ReturnActivity::deduced>(function, annotation...);
  };
  auto result = run(reverse_annotation(x, std::get<I>(zeros))...);
  auto gradients = std::make_tuple(collect<I, T>(result.gradient, std::get<I>(zeros))...);
  using G = std::remove_cvref_t<decltype(single_or_tuple(std::move(gradients)))>;
  if constexpr (keeps_primal<M>)
    return GradientAndPrimal<G, decltype(result.primal)>{single_or_tuple(std::move(gradients)), result.primal};
  else
    return G(single_or_tuple(std::move(gradients)));
}

/// One forward run for each element of the container `x`, whose tangent `direction` is one there and zero elsewhere.
template <class M, class F, class T>
[[gnu::always_inline]] inline auto forward_gradient(F &function, T &x) {
  if constexpr (is_scalar_input<T>) {
    Duplicated<T &, T> annotation{x, T(1)};
    return differentiate<M, ReturnActivity::deduced>(function, annotation).derivative;
  } else {
    static_assert(
        is_container<std::remove_cv_t<T>> && std::floating_point<typename T::value_type>,
        "assay: gradient<Forward> takes a floating-point scalar or a std::array, std::vector or std::span of them");
    auto direction = make_zero(x);
    auto shadow = shadow_of(x, direction);
    Duplicated<T &, decltype(shadow) &> annotation{x, shadow};
    using D = decltype(differentiate<M, ReturnActivity::deduced>(function, annotation).derivative);
    typename ForEachElement<std::remove_cv_t<T>, D>::type gradient{};
    if constexpr (!is_std_array<std::remove_cv_t<T>>)
      gradient.resize(x.size());
    for (std::size_t i = 0; i != x.size(); ++i) {
      shadow[i] = 1;
      gradient[i] = differentiate<M, ReturnActivity::deduced>(function, annotation).derivative;
      shadow[i] = 0;
    }
    return gradient;
  }
}

} // namespace detail

/// The gradient of a real-valued function at `x`. Reverse modes take any number of arguments, Forward takes one.
template <auto M, class F, class... T>
  requires DifferentiationMode<decltype(M)>
[[gnu::always_inline]] inline auto gradient(F &&function, T &&...x) {
  using ModeType = std::remove_cv_t<decltype(M)>;
  if constexpr (detail::is_forward<ModeType>) {
    static_assert(sizeof...(T) == 1, "assay: gradient<Forward> takes one argument");
    static_assert(!detail::keeps_primal<ModeType>, "assay: gradient with the primal is for ReverseWithPrimal");
    return detail::forward_gradient<ModeType>(function, x...);
  } else {
    return detail::reverse_gradient<ModeType>(function, std::index_sequence_for<T...>(), x...);
  }
}

/// Writes the gradient at `x` into `dx`, a shadow of the same type and shape, which is zeroed first. Returns `dx`.
template <DifferentiationMode M, class F, class T, class Shadow>
[[gnu::always_inline]] inline Shadow &gradient(M /*mode*/, Shadow &dx, F &&function, T &&x) {
  static_assert(!detail::is_forward<M>, "assay: gradient into a shadow is for reverse mode");
  set_zero(dx);
  Duplicated<T &, Shadow &> annotation{x, dx};
  detail::differentiate<M, detail::ReturnActivity::deduced>(function, annotation);
  return dx;
}

} // namespace assay
