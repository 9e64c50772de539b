#pragma once
// The solution of A x = b with a dense square matrix of Eigen. From dA x + A dx = db: dx = A^-1 (db - dA x). Backwards,
// with w = A^-T dx: db += w, dA -= w x^T. One factorisation serves the solution and all derivatives.

#include <Eigen/LU>
#include <assay/eigen.hpp>
#include <assay/rules.hpp>

namespace assay::rules {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct SolveRule {
  static auto forward(const auto &config, auto a, auto b);
  static auto augmented_primal(const auto &config, auto a, auto b);
  static void reverse(const auto &config, const auto &dx, const auto &kept, auto a, auto b);
};

inline Vector solve(const Matrix &a, const Vector &b) {
  return a.partialPivLu().solve(b);
}

auto SolveRule::forward(const auto &config, auto a, auto b) {
  const Eigen::PartialPivLU<Matrix> factors(a.value);
  const Vector x = factors.solve(b.value);
  auto tangents = config.each_lane([&](int lane) {
    Vector right = Vector::Zero(x.size());
    if (b.is_active())
      right += b.shadow(lane);
    if (a.is_active())
      right -= a.shadow(lane) * x;
    return Vector(factors.solve(right));
  });
  return Duplicated<Vector, decltype(tangents)>{x, std::move(tangents)};
}

auto SolveRule::augmented_primal(const auto & /*config*/, auto a, auto b) {
  Eigen::PartialPivLU<Matrix> factors(a.value);
  const Vector x = factors.solve(b.value);
  return AugmentedReturn{x, None{}, std::pair{std::move(factors), x}};
}

void SolveRule::reverse(const auto &config, const auto &dx, const auto &kept, auto a, auto b) {
  const auto &[factors, x] = kept;
  for (const int lane : config.lanes()) {
    const Vector w = factors.transpose().solve(dx(lane));
    if (b.is_active())
      b.shadow(lane) += w;
    if (a.is_active())
      a.shadow(lane) -= w * x.transpose();
  }
}

ASSAY_RULE(SolveRule, solve);

} // namespace assay::rules
