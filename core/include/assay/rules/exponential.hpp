#pragma once
// The exponential of a square matrix. Its derivative along E is the upper right block of exp [[A, E], [0, A]];
// backwards dA += the derivative at A^T along dY (Van Loan 1978; Al-Mohy and Higham 2009, "Computing the Frechet
// derivative of the matrix exponential", 1.1).

#include <assay/rules/dense.hpp>
#include <unsupported/Eigen/MatrixFunctions>

namespace assay::rules {

struct ExponentialFormula {
  template <class N>
  static Dense<N> keep(const Dense<N> &a) {
    return detail::square(a);
  }
  template <class M>
  static M value(const auto &a) {
    if (a.size() == 0)
      return detail::stored<M>(a);
    return detail::stored<M>(std::remove_cvref_t<decltype(a)>(a.exp()));
  }
  template <class M, class N>
  static M tangent(const Dense<N> &a, const Dense<N> &da) {
    return detail::stored<M>(along<N>(a, da));
  }
  template <class N>
  static Dense<N> adjoint(const Dense<N> &a, const auto &dy) {
    return along<N>(a.transpose(), detail::dense(dy));
  }

private:
  template <class N>
  static Dense<N> along(const Dense<N> &a, const Dense<N> &e) {
    const Eigen::Index n = a.rows();
    if (n == 0)
      return a;
    Dense<N> block = Dense<N>::Zero(2 * n, 2 * n);
    block.topLeftCorner(n, n) = a;
    block.bottomRightCorner(n, n) = a;
    block.topRightCorner(n, n) = e;
    return Dense<N>(block.exp()).topRightCorner(n, n);
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
M exponential(const M &a) {
  ASSAY_RULE(MatrixRule<ExponentialFormula>, exponential<M>);
  return detail::value_of<ExponentialFormula>(a);
}

} // namespace assay::rules
