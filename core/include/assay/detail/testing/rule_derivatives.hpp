#pragma once
// First derivatives of a function as functions, so that they are differentiated through its rule once more. Their
// arguments are those of the function, then a shadow of each, then the adjoint of a result.

#include <assay/autodiff.hpp>
#include <assay/detail/testing/callable.hpp>

#include <tuple>
#include <type_traits>

namespace assay::detail {

/// How the shadow of a parameter of type P is passed: the tangent or the adjoint of a number; an object like the
/// argument; nothing, where there is no derivative.
template <class P, class ForNumber>
using ShadowParameter =
    std::conditional_t<std::is_floating_point_v<P>, ForNumber,
                       std::conditional_t<is_differentiable<std::remove_cvref_t<P>>, std::remove_cvref_t<P> &, None>>;

/// A test's value for it.
template <class P, class A>
auto shadow_argument(const A &argument) {
  if constexpr (std::is_floating_point_v<P>)
    return P(0.75);
  else if constexpr (is_differentiable<std::remove_cvref_t<P>>)
    return argument;
  else
    return None{};
}

template <class F, class R, class... P>
struct DerivativesOf {
  /// Calls the function, which is constant.
  struct Call {
    F f;
    R operator()(P... x) const { return f(x...); }
  };

  template <class Q, class X, class Shadow>
  [[gnu::always_inline]] static auto duplicated(X &x, Shadow &shadow) {
    if constexpr (std::is_same_v<std::remove_cv_t<Shadow>, None>)
      return Const<X &>{x};
    else
      return Duplicated<X &, Shadow &>{x, shadow};
  }
  template <class Q, class X, class Shadow>
  [[gnu::always_inline]] static auto with_adjoint(X &x, Shadow &shadow) {
    if constexpr (std::is_floating_point_v<Q>)
      return Active<Q>{x};
    else
      return duplicated<Q>(x, shadow);
  }
  template <class Adjoint, class Shadow>
  [[gnu::always_inline]] static void add(const Adjoint &adjoint, Shadow &shadow) {
    if constexpr (std::is_floating_point_v<Adjoint>)
      shadow += adjoint;
  }

  /// The tangent of the result.
  struct Forward {
    F f;
    R operator()(P... x, ShadowParameter<P, std::remove_cv_t<P>>... tangents) const {
      const Call call{f};
      if constexpr (std::is_void_v<R>)
        autodiff<assay::Forward>(call, duplicated<P>(x, tangents)...);
      else
        return autodiff<assay::Forward>(call, duplicated<P>(x, tangents)...).derivative;
    }
  };

  template <class Run>
  [[gnu::always_inline]] static void store_adjoints(const Run &run, ShadowParameter<P, P &>... adjoints) {
    const auto gradient = run().gradient;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add(std::get<I>(gradient), adjoints), ...);
    }(std::index_sequence_for<P...>());
  }

  /// Adds adjoints to those that are there, with `seed` as that of the result. Of a function without result there is
  /// none.
  struct Reverse {
    F f;
    void operator()(P... x, ShadowParameter<P, P &>... adjoints, R seed) const {
      const Call call{f};
      const auto run = [&] { return autodiff<assay::Reverse>(call, Seed{seed}, with_adjoint<P>(x, adjoints)...); };
      store_adjoints(run, adjoints...);
    }
  };
  struct ReverseOfNothing {
    F f;
    void operator()(P... x, ShadowParameter<P, P &>... adjoints) const {
      const Call call{f};
      const auto run = [&] { return autodiff<assay::Reverse>(call, with_adjoint<P>(x, adjoints)...); };
      store_adjoints(run, adjoints...);
    }
  };
};

} // namespace assay::detail
