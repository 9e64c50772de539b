#pragma once
// The Cholesky factor L of a symmetric positive definite A = L L^T, of which the lower triangle is read. With phi(X)
// the lower triangle of X, its diagonal halved: dL = L phi(L^-1 dA L^-T); backwards, with P = phi(L^T dL), the adjoint
// of A is L^-T P L^-1, which counts twice below the diagonal (Murray 2016, "Differentiation of the Cholesky
// decomposition", equations 8 to 10). NaN where A is not positive definite.

#include <Eigen/Cholesky>
#include <assay/rules/dense.hpp>
#include <limits>

namespace assay::rules {

struct CholeskyFormula {
  template <class N>
  static Dense<N> keep(const Dense<N> &a) {
    const Eigen::LLT<Dense<N>> factors(detail::square(a));
    if (factors.info() != Eigen::Success)
      return Dense<N>::Constant(a.rows(), a.cols(), std::numeric_limits<N>::quiet_NaN());
    return factors.matrixL();
  }
  template <class M>
  static M value(const auto &l) {
    return detail::stored<M>(l);
  }
  template <class M, class N>
  static M tangent(const Dense<N> &l, const Dense<N> &da) {
    const auto lower = l.template triangularView<Eigen::Lower>();
    const Dense<N> half = lower.solve(detail::symmetric(da));
    return detail::stored<M>(Dense<N>(l * phi<N>(lower.solve(half.transpose()))));
  }
  template <class N>
  static Dense<N> adjoint(const Dense<N> &l, const auto &dy) {
    const auto upper = l.transpose().template triangularView<Eigen::Upper>();
    const Dense<N> dl = detail::dense(dy).template triangularView<Eigen::Lower>();
    const Dense<N> half = upper.solve(phi<N>(l.transpose() * dl));
    return detail::adjoint_of_lower(Dense<N>(upper.solve(half.transpose())));
  }

private:
  template <class N>
  static Dense<N> phi(const Dense<N> &x) {
    Dense<N> lower = x.template triangularView<Eigen::Lower>();
    lower.diagonal() /= 2;
    return lower;
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row. Zeros stand above the diagonal of the result.
template <class M>
M cholesky(const M &a) {
  ASSAY_RULE(MatrixRule<CholeskyFormula>, cholesky<M>);
  return detail::value_of<CholeskyFormula>(a);
}

} // namespace assay::rules
