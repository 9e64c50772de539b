#pragma once
// The thin singular value decomposition A = U diag(s) V^T; values descend, and the component of largest magnitude of
// each column of U is positive. Formulas: Townsend 2016, "Differentiating the singular value decomposition", with F_ij
// = 1 / (s_j^2 - s_i^2), which is zero at equal values as in eigensystem.hpp, and 1 / s, which is zero at zero.

#include <Eigen/SVD>
#include <assay/rules/eigensystem.hpp>

namespace assay::rules {

template <class M>
struct SingularValues {
  M u;
  typename detail::DiagonalOf<M>::type values;
  M v;
};

struct SVDFormula {
  template <class N>
  static SingularValues<Dense<N>> keep(const Dense<N> &a) {
    if (a.size() == 0)
      return {Dense<N>(a.rows(), 0), Column<N>(), Dense<N>(a.cols(), 0)};
    const Eigen::JacobiSVD<Dense<N>> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    SingularValues<Dense<N>> y{svd.matrixU(), svd.singularValues(), svd.matrixV()};
    for (Eigen::Index i = 0; i < y.values.size(); ++i) {
      const N sign(detail::sign_of(y.u.col(i)));
      y.u.col(i) *= sign;
      y.v.col(i) *= sign;
    }
    return y;
  }
  template <class M>
  static SingularValues<M> value(const auto &kept) {
    return {detail::stored<M>(kept.u), detail::numbers<typename detail::DiagonalOf<M>::type>(kept.values),
            detail::stored<M>(kept.v)};
  }
  template <class M, class N>
  static SingularValues<M> tangent(const SingularValues<Dense<N>> &kept, const Dense<N> &da) {
    const auto &[u, s, v] = kept;
    const Dense<N> p = u.transpose() * da * v;
    const Dense<N> f = detail::inverse_gaps<N>(s.cwiseAbs2());
    const Dense<N> ps = p * s.asDiagonal(), sp = s.asDiagonal() * p;
    const Dense<N> du =
        u * f.cwiseProduct(ps + ps.transpose()) + outside(u, Dense<N>(da * v)) * inverses(s).asDiagonal();
    const Dense<N> dv =
        v * f.cwiseProduct(sp + sp.transpose()) + outside(v, Dense<N>(da.transpose() * u)) * inverses(s).asDiagonal();
    return value<M>(SingularValues<Dense<N>>{du, p.diagonal(), dv});
  }
  template <class N>
  static Dense<N> adjoint(const SingularValues<Dense<N>> &kept, const auto &dy) {
    const auto &[u, s, v] = kept;
    const Dense<N> du = detail::dense(dy.u), dv = detail::dense(dy.v), f = detail::inverse_gaps<N>(s.cwiseAbs2());
    const Dense<N> udu = u.transpose() * du, vdv = v.transpose() * dv;
    Dense<N> inner = f.cwiseProduct(udu - udu.transpose()) * s.asDiagonal();
    inner += s.asDiagonal() * f.cwiseProduct(vdv - vdv.transpose());
    inner.diagonal() += detail::column(dy.values);
    return u * inner * v.transpose() + outside(u, du) * inverses(s).asDiagonal() * v.transpose() +
           u * inverses(s).asDiagonal() * outside(v, dv).transpose();
  }

private:
  /// The part of x that is orthogonal to the columns of u.
  template <class N>
  static Dense<N> outside(const Dense<N> &u, const Dense<N> &x) {
    return x - u * (u.transpose() * x);
  }
  template <class N>
  static Column<N> inverses(const Column<N> &s) {
    return s.unaryExpr([](N each) { return each == 0 ? N(0) : 1 / each; });
  }
};

/// `a` is a matrix of Eigen, of dynamic size where it is not square, or a square one in a plain array, row by row.
template <class M>
SingularValues<M> svd(const M &a) {
  ASSAY_RULE(MatrixRule<SVDFormula>, svd<M>);
  return detail::value_of<SVDFormula>(a);
}

} // namespace assay::rules
