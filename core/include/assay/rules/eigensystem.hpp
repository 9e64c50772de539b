#pragma once
// A symmetric A = V diag(w) V^T, of which the lower triangle is read; values ascend, and the component of largest
// magnitude of each vector is positive. With K = V^T dA V: dw = diag(K), dV = V (F . K), F_ij = 1 / (w_j - w_i);
// backwards dA += V (diag(dw) + F . (V^T dV)) V^T (Giles 2008, 3.1).
//
// At equal values the vectors are not unique, and F is zero there: a function of the space that they span, and not on
// its basis, has the right derivative, and so has the sum of the equal values.

#include <Eigen/Eigenvalues>
#include <assay/rules/dense.hpp>

namespace assay::rules {

template <class M>
struct Eigensystem {
  typename detail::DiagonalOf<M>::type values;
  M vectors; ///< One in each column.
};

namespace detail {
/// 1 / (x_j - x_i), and zero for numbers that differ by no more than rounding makes of equal ones.
template <class N>
Dense<N> inverse_gaps(const Column<N> &x) {
  const N equal = N(x.size()) * std::numeric_limits<N>::epsilon() * (x.size() == 0 ? N(0) : x.cwiseAbs().maxCoeff());
  return Dense<N>::NullaryExpr(x.size(), x.size(), [&](Eigen::Index i, Eigen::Index j) {
    const N gap = x[j] - x[i];
    return std::abs(gap) <= equal ? N(0) : 1 / gap;
  });
}
/// The sign that makes the component of largest magnitude positive.
auto sign_of(const auto &vector) {
  Eigen::Index at = 0;
  if (vector.size() != 0)
    vector.cwiseAbs().maxCoeff(&at);
  return vector.size() != 0 && vector[at] < 0 ? -1 : 1;
}
} // namespace detail

struct EigensystemFormula {
  template <class N>
  static Eigensystem<Dense<N>> keep(const Dense<N> &a) {
    if (a.size() == 0)
      return {Column<N>(), detail::square(a)};
    const Eigen::SelfAdjointEigenSolver<Dense<N>> solver(detail::square(a));
    Eigensystem<Dense<N>> y{solver.eigenvalues(), solver.eigenvectors()};
    for (Eigen::Index i = 0; i < a.cols(); ++i)
      y.vectors.col(i) *= N(detail::sign_of(y.vectors.col(i)));
    return y;
  }
  template <class M>
  static Eigensystem<M> value(const auto &kept) {
    return {detail::numbers<typename detail::DiagonalOf<M>::type>(kept.values), detail::stored<M>(kept.vectors)};
  }
  template <class M, class N>
  static Eigensystem<M> tangent(const Eigensystem<Dense<N>> &kept, const Dense<N> &da) {
    const Dense<N> k = kept.vectors.transpose() * detail::symmetric(da) * kept.vectors;
    const Dense<N> turned = kept.vectors * detail::inverse_gaps(kept.values).cwiseProduct(k);
    return value<M>(Eigensystem<Dense<N>>{k.diagonal(), turned});
  }
  template <class N>
  static Dense<N> adjoint(const Eigensystem<Dense<N>> &kept, const auto &dy) {
    Dense<N> inner =
        detail::inverse_gaps(kept.values).cwiseProduct(kept.vectors.transpose() * detail::dense(dy.vectors));
    inner.diagonal() += detail::column(dy.values);
    return detail::adjoint_of_lower(Dense<N>(kept.vectors * inner * kept.vectors.transpose()));
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
Eigensystem<M> eigensystem(const M &a) {
  ASSAY_RULE(MatrixRule<EigensystemFormula>, eigensystem<M>);
  return detail::value_of<EigensystemFormula>(a);
}

} // namespace assay::rules
