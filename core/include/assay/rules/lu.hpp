#pragma once
// P A = L U with partial pivoting. With F = L^-1 P dA U^-1: dL = L (F below the diagonal), dU = (F from the diagonal
// on) U; backwards dA += P^T L^-T (L^T dL below, dU U^T from the diagonal on) U^-T (de Hoog, Anderssen and Lukas 2011,
// "Differentiation of matrix functionals using triangular factorization"). The order of the rows is constant.

#include <Eigen/LU>
#include <assay/rules/dense.hpp>

namespace assay::rules {

/// L below the diagonal, whose own diagonal is 1, and U from the diagonal on.
template <class M>
struct LUFactors {
  M packed;
  std::vector<int> rows; ///< Row i of P A is row rows[i] of A.
};

struct LUFormula {
  template <class N>
  static Eigen::PartialPivLU<Dense<N>> keep(const Dense<N> &a) {
    return Eigen::PartialPivLU<Dense<N>>(detail::square(a));
  }
  template <class M>
  static LUFactors<M> value(const auto &factors) {
    const Eigen::PermutationMatrix<Eigen::Dynamic> from = factors.permutationP().transpose();
    LUFactors<M> y{detail::stored<M>(factors.matrixLU()), {}};
    y.rows.assign(from.indices().data(), from.indices().data() + from.indices().size());
    return y;
  }
  template <class M, class N>
  static LUFactors<M> tangent(const Eigen::PartialPivLU<Dense<N>> &factors, const Dense<N> &da) {
    const Dense<N> &lu = factors.matrixLU();
    const Dense<N> moved = factors.permutationP() * da;
    const Dense<N> left = lu.template triangularView<Eigen::UnitLower>().solve(moved);
    const Dense<N> f = lu.template triangularView<Eigen::Upper>().template solve<Eigen::OnTheRight>(left);
    LUFactors<M> dy = value<M>(factors);
    dy.packed = detail::stored<M>(Dense<N>(lu.template triangularView<Eigen::UnitLower>() * detail::strictly_lower(f) +
                                           detail::upper(f) * lu.template triangularView<Eigen::Upper>()));
    return dy;
  }
  template <class N>
  static Dense<N> adjoint(const Eigen::PartialPivLU<Dense<N>> &factors, const auto &dy) {
    const Dense<N> &lu = factors.matrixLU();
    const Dense<N> packed = detail::dense(dy.packed);
    const auto l = lu.template triangularView<Eigen::UnitLower>();
    const auto u = lu.template triangularView<Eigen::Upper>();
    const Dense<N> f = detail::strictly_lower(Dense<N>(l.transpose() * detail::strictly_lower(packed))) +
                       detail::upper(Dense<N>(detail::upper(packed) * u.transpose()));
    const Dense<N> left = l.transpose().solve(f);
    return factors.permutationP().transpose() * Dense<N>(u.transpose().template solve<Eigen::OnTheRight>(left));
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
LUFactors<M> lu(const M &a) {
  ASSAY_RULE(MatrixRule<LUFormula>, lu<M>);
  return detail::value_of<LUFormula>(a);
}

} // namespace assay::rules
