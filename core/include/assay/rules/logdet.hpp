#pragma once
// The logarithm of the absolute value of the determinant, without overflow: dy = tr(A^-1 dA), backwards dA += dy A^-T
// (Giles 2008, 2.2.4). Minus infinity where the matrix is singular; there is no derivative there.

#include <Eigen/LU>
#include <assay/rules/dense.hpp>

namespace assay::rules {

struct LogDetFormula {
  template <class N>
  static Eigen::PartialPivLU<Dense<N>> keep(const Dense<N> &a) {
    return Eigen::PartialPivLU<Dense<N>>(detail::square(a));
  }
  template <class M>
  static auto value(const auto &factors) {
    return factors.matrixLU().diagonal().array().abs().log().sum();
  }
  template <class M, class N>
  static N tangent(const Eigen::PartialPivLU<Dense<N>> &factors, const Dense<N> &da) {
    return factors.solve(da).trace();
  }
  template <class N>
  static Dense<N> adjoint(const Eigen::PartialPivLU<Dense<N>> &factors, const auto &dy) {
    return dy * factors.inverse().transpose();
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
typename M::value_type logdet(const M &a) {
  ASSAY_RULE(MatrixRule<LogDetFormula>, logdet<M>);
  return detail::value_of<LogDetFormula>(a);
}

} // namespace assay::rules
