#pragma once
// From a call of Enzyme's C++ interface to assay's, and from its results to Enzyme's tuples.

#include "assay/detail/differentiate.hpp"
#include "assay/detail/enzyme/parameter.hpp"
#include "assay/detail/enzyme/tuple.hpp"

namespace enzyme::detail {

using assay::detail::ReturnActivity;

/// No activity of the result was written: a number is Active in reverse mode, DuplicatedNoNeed in forward mode.
struct Deduced {};

template <class Return>
consteval ReturnActivity named_activity() {
  if (is_const<Return>)
    return ReturnActivity::constant;
  if (is_active<Return>)
    return ReturnActivity::active;
  if (is_no_need<Return>)
    return ReturnActivity::duplicated_no_need;
  return is_duplicated<Return> ? ReturnActivity::duplicated : ReturnActivity::deduced;
}

template <class Return, class R>
consteval bool names_result() {
  if constexpr (is_annotation<Return>)
    return std::same_as<std::remove_cvref_t<typename Return::type>, std::remove_cvref_t<R>>;
  else
    return true;
}

/// Assay's mode. A Duplicated result asks for the primal beside the tangent, and DuplicatedNoNeed for none.
template <class M, class Return>
using AssayMode =
    assay::Mode<is_forward<M> ? assay::Direction::forward : assay::Direction::reverse,
                (is_forward<M> && is_duplicated<Return> ? !is_no_need<Return> : keeps_primal<M>) ? assay::Primal::keep
                                                                                                 : assay::Primal::omit>;

// ---- Results: assay has None where there is nothing, Enzyme has no element ----

template <class T>
std::tuple<T> present(T value) {
  return {std::move(value)};
}
inline std::tuple<> present(assay::None /*nothing*/) {
  return {};
}

template <class... T>
auto present_values(T... values) {
  return std::apply([](auto &&...present) { return tuple<std::remove_cvref_t<decltype(present)>...>(present...); },
                    std::tuple_cat(present(std::move(values))...));
}

template <class... Gradient>
auto active_gradients(const std::tuple<Gradient...> &gradients) {
  return std::apply([](const Gradient &...gradient) { return present_values(gradient...); }, gradients);
}

template <class... Gradient>
auto results(const assay::Gradients<Gradient...> &result) {
  return present_values(active_gradients(result.gradient));
}
template <class Primal, class... Gradient>
auto results(const assay::GradientsWithPrimal<Primal, Gradient...> &result) {
  return present_values(active_gradients(result.gradient), result.primal);
}
template <class D>
auto results(const assay::Tangent<D> &result) {
  return present_values(result.derivative);
}
template <class D, class Primal>
auto results(const assay::TangentWithPrimal<D, Primal> &result) {
  return present_values(result.primal, result.derivative);
}

template <class M, class Return, class Callable, class... P>
[[gnu::always_inline]] inline auto run(typename Callable::Wire callable, P... parameters) {
  constexpr bool is_callable = std::invocable<typename Callable::Object &, typename P::Object &...>;
  static_assert(is_callable, "enzyme: the function cannot be called with the values of these annotations");
  if constexpr (is_callable) {
    using R = std::invoke_result_t<typename Callable::Object &, typename P::Object &...>;
    static_assert(names_result<Return, R>(),
                  "enzyme: the activity of the result names another type than the function returns");
    return assay::detail::run<AssayMode<M, Return>, named_activity<Return>(), Callable>(callable,
                                                                                        std::move(parameters)...);
  } else {
    return assay::Gradients<>();
  }
}

template <class M, class Return, class F, class... A>
[[gnu::always_inline]] inline auto differentiate(F &function, A &...arguments) {
  using assay::detail::ConstCallable;
  if constexpr (is_const<std::remove_cv_t<F>>)
    return differentiate<M, Return>(function.value, arguments...);
  else if constexpr (is_duplicated<std::remove_cv_t<F>>)
    return assay::detail::without_callable(run<M, Return, ConstCallable<const assay::detail::CallFirst>>(
        &assay::detail::call_first, Parameter<F &, M>(function), Parameter<A &, M>(arguments)...));
  else if constexpr (std::is_function_v<F>)
    return run<M, Return, ConstCallable<F *>>(&function, Parameter<A &, M>(arguments)...);
  else if constexpr (std::is_pointer_v<F> || std::is_member_pointer_v<F>)
    return run<M, Return, ConstCallable<std::remove_cv_t<F>>>(function, Parameter<A &, M>(arguments)...);
  else
    return run<M, Return, ConstCallable<F>>(std::addressof(function), Parameter<A &, M>(arguments)...);
}

} // namespace enzyme::detail
