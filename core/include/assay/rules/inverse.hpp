#pragma once
// The inverse of a square matrix. With C = A^-1: dC = -C dA C; backwards dA += -C^T dC C^T (Giles 2008, "An extended
// collection of matrix derivative results", 2.2.3). A singular matrix has an inverse of infinities or NaN.

#include <Eigen/LU>
#include <assay/rules/dense.hpp>

namespace assay::rules {

struct InverseFormula {
  template <class N>
  static Dense<N> keep(const Dense<N> &a) {
    return detail::square(a).partialPivLu().inverse();
  }
  template <class M>
  static M value(const auto &inverse) {
    return detail::stored<M>(inverse);
  }
  template <class M, class N>
  static M tangent(const Dense<N> &inverse, const Dense<N> &da) {
    return detail::stored<M>(Dense<N>(-(inverse * da * inverse)));
  }
  template <class N>
  static Dense<N> adjoint(const Dense<N> &inverse, const auto &dy) {
    return -(inverse.transpose() * detail::dense(dy) * inverse.transpose());
  }
};

/// `a` is a square matrix of Eigen, or one in a plain array, row by row.
template <class M>
M inverse(const M &a) {
  ASSAY_RULE(MatrixRule<InverseFormula>, inverse<M>);
  return detail::value_of<InverseFormula>(a);
}

} // namespace assay::rules
