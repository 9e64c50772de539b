#pragma once
// A = Q R with orthonormal columns of Q and a positive diagonal of R, for A of full rank. With C = dA R^-1, K = Q^T C
// and W = (K below the diagonal) - (the same)^T: dR = (K - W) R and dQ = C - Q (K - W) (Walter and Lehmann 2010).
// Backwards, with M = R dR^T - dQ^T Q: dA += (dQ + Q S) R^-T, where S is symmetric with the lower triangle of M
// (Roberts and Roberts 2020, "QR and LQ decomposition matrix backpropagation"). Of more columns than rows these are the
// first ones; the others are B = Q T.

#include <Eigen/QR>
#include <algorithm>
#include <assay/rules/dense.hpp>

namespace assay::rules {

template <class M>
struct QRFactors {
  M q, r;
};

struct QRFormula {
  template <class N>
  static QRFactors<Dense<N>> keep(const Dense<N> &a) {
    const Eigen::HouseholderQR<Dense<N>> factors(a);
    const Eigen::Index rank = std::min(a.rows(), a.cols());
    QRFactors<Dense<N>> y{factors.householderQ() * Dense<N>::Identity(a.rows(), rank),
                          detail::upper(Dense<N>(factors.matrixQR().topRows(rank)))};
    for (Eigen::Index i = 0; i < rank; ++i)
      if (y.r(i, i) < 0) {
        y.q.col(i) *= -1;
        y.r.row(i) *= -1;
      }
    return y;
  }
  template <class M>
  static QRFactors<M> value(const auto &kept) {
    return {detail::stored<M>(kept.q), detail::stored<M>(kept.r)};
  }
  template <class M, class N>
  static QRFactors<M> tangent(const QRFactors<Dense<N>> &kept, const Dense<N> &da) {
    const auto [r, t] = columns(kept.r, kept.q.cols());
    const auto [left, db] = columns(da, kept.q.cols());
    const Dense<N> c = r.template triangularView<Eigen::Upper>().template solve<Eigen::OnTheRight>(left);
    const Dense<N> k = kept.q.transpose() * c;
    const Dense<N> below = detail::strictly_lower(k);
    const Dense<N> rest = k - below + below.transpose();
    const Dense<N> dq = c - kept.q * rest;
    Dense<N> dr(kept.r.rows(), kept.r.cols());
    dr << rest * r, dq.transpose() * kept.q * t + kept.q.transpose() * db;
    return {detail::stored<M>(dq), detail::stored<M>(dr)};
  }
  template <class N>
  static Dense<N> adjoint(const QRFactors<Dense<N>> &kept, const auto &dy) {
    const auto [r, t] = columns(kept.r, kept.q.cols());
    const auto [dr, dt] = columns(Dense<N>(detail::dense(dy.r)), kept.q.cols());
    const Dense<N> dq = detail::dense(dy.q) + kept.q * t * dt.transpose();
    const Dense<N> m = r * detail::upper(dr).transpose() - dq.transpose() * kept.q;
    const Dense<N> sum = dq + kept.q * detail::symmetric(m);
    Dense<N> da(kept.q.rows(), kept.r.cols());
    da << r.transpose().template triangularView<Eigen::Lower>().template solve<Eigen::OnTheRight>(sum), kept.q * dt;
    return da;
  }

private:
  /// The first columns of a matrix, and the others.
  template <class N>
  static std::pair<Dense<N>, Dense<N>> columns(const Dense<N> &a, Eigen::Index first) {
    return {a.leftCols(first), a.rightCols(a.cols() - first)};
  }
};

/// `a` is a matrix of Eigen, of dynamic size where it is not square, or a square one in a plain array, row by row.
template <class M>
QRFactors<M> qr(const M &a) {
  ASSAY_RULE(MatrixRule<QRFormula>, qr<M>);
  return detail::value_of<QRFormula>(a);
}

} // namespace assay::rules
