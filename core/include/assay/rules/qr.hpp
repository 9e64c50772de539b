#pragma once
// A = Q R with orthonormal columns of Q and a positive diagonal of R, for at least as many rows as columns, which are
// linearly independent. With C = dA R^-1, K = Q^T C and W = (K below the diagonal) - (the same)^T: dR = (K - W) R and
// dQ = C - Q (K - W) (Walter and Lehmann 2010). Backwards, with M = R dR^T - dQ^T Q: dA += (dQ + Q S) R^-T, where S is
// symmetric with the lower triangle of M (Roberts and Roberts 2020, "QR and LQ decomposition matrix backpropagation").

#include <Eigen/QR>
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
    QRFactors<Dense<N>> y{factors.householderQ() * Dense<N>::Identity(a.rows(), a.cols()),
                          detail::upper(Dense<N>(factors.matrixQR().topRows(a.cols())))};
    for (Eigen::Index i = 0; i < a.cols(); ++i)
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
    const Dense<N> c = kept.r.template triangularView<Eigen::Upper>().template solve<Eigen::OnTheRight>(da);
    const Dense<N> k = kept.q.transpose() * c;
    const Dense<N> below = detail::strictly_lower(k);
    const Dense<N> rest = k - below + below.transpose();
    return {detail::stored<M>(Dense<N>(c - kept.q * rest)), detail::stored<M>(Dense<N>(rest * kept.r))};
  }
  template <class N>
  static Dense<N> adjoint(const QRFactors<Dense<N>> &kept, const auto &dy) {
    const Dense<N> dq = detail::dense(dy.q);
    const Dense<N> m = kept.r * detail::upper(detail::dense(dy.r)).transpose() - dq.transpose() * kept.q;
    const Dense<N> sum = dq + kept.q * detail::symmetric(m);
    return kept.r.transpose().template triangularView<Eigen::Lower>().template solve<Eigen::OnTheRight>(sum);
  }
};

/// `a` is a matrix of Eigen, of dynamic size where it is not square, or a square one in a plain array, row by row.
template <class M>
QRFactors<M> qr(const M &a) {
  ASSAY_RULE(MatrixRule<QRFormula>, qr<M>);
  return detail::value_of<QRFormula>(a);
}

} // namespace assay::rules
