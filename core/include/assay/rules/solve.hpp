#pragma once
// The solution of A x = b with a dense square matrix. From dA x + A dx = db: dx = A^-1 (db - dA x). Backwards, with
// w = A^-T dx: db += w, dA -= w x^T (Giles 2008, 2.3.1). One factorisation serves the solution and all derivatives.

#include <Eigen/LU>
#include <assay/rules/dense.hpp>

namespace assay::rules {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct SolveRule {
  static auto forward(const auto &config, auto a, auto b) {
    using V = std::remove_cvref_t<decltype(b.value)>;
    const auto factors = detail::of_system(a.value, std::size_t(b.value.size())).partialPivLu();
    const auto x = solution(factors, detail::column(b.value));
    auto tangents = config.each_lane([&](int lane) {
      std::remove_const_t<decltype(x)> right = 0 * x;
      if (b.is_active())
        right += detail::column(b.shadow(lane));
      if (a.is_active())
        right -= detail::dense(a.shadow(lane)) * x;
      return detail::numbers<V>(solution(factors, right));
    });
    return Duplicated<V, decltype(tangents)>{detail::numbers<V>(x), std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto a, auto b) {
    using V = std::remove_cvref_t<decltype(b.value)>;
    auto factors = detail::of_system(a.value, std::size_t(b.value.size())).partialPivLu();
    auto x = solution(factors, detail::column(b.value));
    auto y = detail::numbers<V>(x);
    return AugmentedReturn{std::move(y), None{}, std::pair{std::move(factors), std::move(x)}};
  }
  static void reverse(const auto &config, const auto &dx, const auto &kept, auto a, auto b) {
    const auto &[factors, x] = kept;
    for (const int lane : config.lanes()) {
      const auto w = solution(factors.transpose(), detail::column(dx(lane)));
      for (Eigen::Index i = 0; b.is_active() && i < w.size(); ++i)
        b.shadow(lane).data()[i] += w[i];
      if (a.is_active())
        detail::add(a.shadow(lane), -w * x.transpose());
    }
  }

private:
  static auto solution(const auto &factors, const auto &right) {
    return Column<typename std::remove_cvref_t<decltype(right)>::Scalar>(factors.solve(right));
  }
};

namespace detail {
/// Eigen says of a matrix of any number that it converts to one of doubles.
template <class A, class Doubles>
concept IsOfDoubles =
    std::convertible_to<A, Doubles> && !requires { requires !std::same_as<typename A::Scalar, double>; };
} // namespace detail

inline Vector solve(const Matrix &a, const Vector &b) {
  ASSAY_RULE(SolveRule, overload<Vector(const Matrix &, const Vector &)>(solve));
  return detail::of_system(a, std::size_t(b.size())).partialPivLu().solve(b);
}

/// Of other types: `a` is a square matrix in a plain array, row by row, or one of Eigen, and `b` has data() and size().
template <class M, class V>
  requires(!detail::IsOfDoubles<M, Matrix> || !detail::IsOfDoubles<V, Vector>)
V solve(const M &a, const V &b) {
  ASSAY_RULE(SolveRule, (overload<V(const M &, const V &)>(solve<M, V>)));
  return detail::numbers<V>(detail::of_system(a, std::size_t(b.size())).partialPivLu().solve(detail::column(b)));
}

} // namespace assay::rules
