#pragma once
// Holomorphic reverse mode. The adjoint of z = x + iy under a real function L is dL/dx + i dL/dy. Of the real part u of
// a holomorphic f = u + iv that is u_x + i u_y, which is the conjugate of f' = u_x - i u_y (Cauchy and Riemann): the
// derivative is the conjugate of the adjoint with seed 1. Shadows are conjugated before and after, so that they hold
// derivatives, too, and are added into.

#include "assay/detail/differentiate.hpp"

#include <complex>

namespace assay::detail {

template <class>
inline constexpr bool all_are_complex = false;
template <class T>
consteval bool holds_only_complex_numbers() {
  if constexpr (kind_of<T>() == Kind::complex)
    return true;
  else if constexpr (kind_of<T>() == Kind::number)
    return false;
  else
    return all_are_complex<typename PartsOf<T>::type>;
}
template <class... Part>
inline constexpr bool all_are_complex<TypeList<Part...>> =
    ((holds_only_complex_numbers<std::remove_cv_t<Part>>() || std::is_void_v<number_of<Part>>) && ...);

template <class T>
void conjugate(T &x) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (kind == Kind::complex)
    x = std::conj(x);
  else if constexpr (kind == Kind::sequence || kind == Kind::view)
    for (auto &element : x)
      conjugate(element);
  else if constexpr (kind == Kind::tuple)
    std::apply([](auto &...element) { (conjugate(element), ...); }, x);
  else if constexpr (kind == Kind::plain_struct)
    with_fields(x, [](auto &...field) { (conjugate(field), ...); });
  else if constexpr (kind == Kind::custom)
    Traversal<T>::walk(x, [](auto &part, Label) { conjugate(part); });
}

/// Of the shadows of one argument.
template <class A>
void conjugate_shadows(A &annotation) {
  using Annotated = std::remove_cv_t<A>;
  if constexpr (is_duplicated_annotation<Annotated>)
    [&]<std::size_t... L>(std::index_sequence<L...>) {
      (conjugate(shadow_in_lane<L>(annotation)), ...);
    }(std::make_index_sequence<is_batch_annotation<Annotated> ? count_lanes<Annotated>() : 1>());
}

template <class... G>
void conjugate_entries(std::tuple<G...> &gradient) {
  std::apply([](auto &...entry) { (conjugate(entry), ...); }, gradient);
}

template <class M>
using WithoutHolomorphic = Mode<M::direction, M::primal, with_holomorphic(M::options, false)>;

template <class M, class F, class... A>
[[gnu::always_inline]] inline auto differentiate_holomorphic(F &function, A &...arguments) {
  static_assert(!(is_seed<std::remove_cv_t<A>> || ...), "assay: a holomorphic mode seeds the result itself");
  if constexpr (are_annotated<A...>() && !(is_seed<std::remove_cv_t<A>> || ...)) {
    static_assert(!Annotation<F>, "assay: in a holomorphic mode the callable is not annotated: give its captures as "
                                  "arguments");
    constexpr Batch batch = batch_of<std::remove_cv_t<A>...>();
    using R = std::remove_cvref_t<std::invoke_result_t<F &, decltype((arguments.value))...>>;
    constexpr bool is_complex = kind_of<R>() == Kind::complex;
    static_assert(is_complex, "assay: a holomorphic mode is for functions that return a std::complex");
    static_assert(
        ((is_const_annotation<std::remove_cv_t<A>> || holds_only_complex_numbers<annotated_type<A>>()) && ...),
        "assay: in a holomorphic mode the differentiated arguments are complex; give real ones as Const");
    if constexpr (is_complex) {
      in_lanes<R, batch> seed{};
      if constexpr (batch.is_batch())
        seed.fill(R(1));
      else
        seed = R(1);
      (conjugate_shadows(arguments), ...);
      auto result = differentiate_seeded<WithoutHolomorphic<M>, ReturnActivity::deduced>(function, seed, arguments...);
      (conjugate_shadows(arguments), ...);
      conjugate_entries(result.gradient);
      return result;
    }
  }
}

} // namespace assay::detail
