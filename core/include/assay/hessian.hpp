#pragma once
// Second derivatives of real-valued functions of one argument, forward over reverse mode.
//
//   hvp(f, x, v)                 the Hessian times v, of the shape of x
//   hvp_and_gradient(f, x, v)    {hvp, gradient}
//   hessian(f, x)                a Matrix; hessian<Chunk<4>>(f, x) with four columns in a run

#include "assay/jacobian.hpp"

namespace assay {

template <class H, class G>
struct HvpAndGradient {
  H hvp;
  G gradient;
};

namespace detail {

/// The function whose derivatives are second derivatives of an F: it adds the gradient at x into a shadow. The F
/// travels like any callable, by value, so that the engine sees which function it is in code that is not optimised,
/// too.
template <class F>
struct GradientCallable {
  using Way = typename CallableParameter<F>::type;
  using Wire = typename Way::Wire;
  struct Object {
    template <class X, class S>
    void operator()(X &x, S &gradient) const;
  };

  template <class X, class S>
  [[gnu::always_inline]] static void invoke(Wire &wire, X &x, S &gradient) {
    Duplicated<X &, S &> annotation{x, gradient};
    if constexpr (Way::by_value)
      differentiate<std::remove_const_t<decltype(Reverse)>, ReturnActivity::deduced>(wire, annotation);
    else
      differentiate<std::remove_const_t<decltype(Reverse)>, ReturnActivity::deduced>(*wire, annotation);
  }
};

template <class F, class X>
consteval bool has_hessian() {
  constexpr bool callable = std::invocable<F &, X &>;
  static_assert(callable, "assay: the function of a second derivative cannot be called with this argument");
  if constexpr (callable) {
    constexpr bool real = std::floating_point<std::remove_cvref_t<std::invoke_result_t<F &, X &>>>;
    static_assert(real, "assay: second derivatives are those of functions that return a floating-point number");
    return real && has_numbers_to_vary<X>();
  }
  return false;
}

template <class F, class X, class Gradient>
[[gnu::always_inline]] inline void differentiate_gradient(F &function, X x, Gradient gradient) {
  using M = std::remove_const_t<decltype(Forward)>;
  constexpr Batch batch = batch_of<X, Gradient>();
  run<M, ReturnActivity::constant, batch, GradientCallable<F>>(
      callable_wire(function), UnitSeed{}, Parameter<X &, M, batch>(x), Parameter<Gradient &, M, batch>(gradient));
}

/// The readable errors for a Hessian times a direction.
template <class F, class X, class V>
consteval bool has_hessian_along() {
  constexpr bool has_type_of_argument = std::same_as<without_const<typename ArrayValue<std::remove_cvref_t<X>>::type>,
                                                     without_const<typename ArrayValue<V>::type>>;
  static_assert(has_type_of_argument, "assay: the direction of hvp must have the same type as the argument");
  if constexpr (has_type_of_argument)
    return has_hessian<F, X>();
  return false;
}

} // namespace detail

/// The gradient at `x` and the Hessian times the direction `v`, which has the type and shape of `x`.
template <class F, class X, class V>
[[gnu::always_inline]] inline auto hvp_and_gradient(F &&function, X &&x, const V &v) {
  if constexpr (detail::has_hessian_along<F, X, V>()) {
    using T = std::remove_cvref_t<X>;
    detail::OwnShadow<T> gradient(x), product(x);
    using Shadow = std::remove_reference_t<decltype(gradient.get())>;
    auto &direction = detail::shadow_for<T>(v);
    detail::differentiate_gradient(function,
                                   Duplicated<std::remove_reference_t<X> &, decltype(direction)>{x, direction},
                                   Duplicated<Shadow &, Shadow &>{gradient.get(), product.get()});
    using Owner = typename detail::OwnShadow<T>::Zero;
    return HvpAndGradient<Owner, Owner>{std::move(product.owner()), std::move(gradient.owner())};
  }
}

/// The Hessian at `x` times the direction `v`.
template <class F, class X, class V>
[[gnu::always_inline]] inline auto hvp(F &&function, X &&x, const V &v) {
  if constexpr (detail::has_hessian_along<F, X, V>())
    return hvp_and_gradient(function, x, v).hvp;
}

/// Refuses a call without direction.
template <class F, class X>
inline auto hvp(F && /*function*/, X && /*x*/) {
  static_assert(!std::is_object_v<F> && std::is_object_v<F>, "assay: hvp takes the direction as well: hvp(f, x, v)");
}

/// The Hessian at `x`: element (i, j) is the second derivative along numbers i and j of `x`.
template <class C = Chunk<1>, class F, class X, class... More>
[[gnu::always_inline]] inline auto hessian(F &&function, X &&x, More &&.../*refused*/) {
  static_assert(sizeof...(More) == 0, "assay: a Hessian is by one argument: capture the others in a lambda, or put "
                                      "them into a std::tuple");
  static_assert(detail::is_chunk<C>, "assay: the parameter of hessian is a Chunk<N>");
  if constexpr (detail::has_hessian<F, X>()) {
    using T = std::remove_cvref_t<X>;
    constexpr unsigned lanes = detail::lanes_of_chunk<C>;
    detail::OwnShadows<T, lanes> tangents(x), products(x);
    detail::OwnShadow<T> gradient(x);
    const std::size_t count = count_numbers(x);
    Matrix<detail::number_of<T>> matrix(count, count);
    for (detail::Directions<T, lanes> directions(tangents); directions.next();) {
      set_zero(gradient.get());
      products.clear();
      detail::differentiate_gradient(function, tangents.annotate(x), products.annotate(gradient.get()));
      for (unsigned lane = 0; lane != directions.lanes(); ++lane)
        detail::set_column(matrix, directions.first() + lane, products.get(lane));
    }
    return matrix;
  }
}

/// Refuses a mode.
template <auto M, class... A>
inline auto hessian(A &&.../*arguments*/) {
  static_assert(!DifferentiationMode<decltype(M)> && DifferentiationMode<decltype(M)>,
                "assay: the parameter of hessian is a Chunk<N>: it is forward over reverse mode always");
}

} // namespace assay
