#pragma once
// The common part of the rules of matrices. A matrix is a dense one of Eigen, or a square one in a plain array, row by
// row: a std::vector, or a std::array of n * n numbers.
//
// Most are functions of one matrix, A -> Y, whose rule is a formula: what is kept of A, Y, the tangent of Y along dA,
// and the adjoint of A for an adjoint of Y. `MatrixRule` makes the rule of it.

#include <Eigen/Core>
#include <assay/eigen.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

namespace assay::rules {

template <class Number>
using Dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
template <class Number>
using Column = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

namespace detail {

template <class M>
concept EigenMatrix = std::derived_from<M, Eigen::PlainObjectBase<M>>;

constexpr std::size_t order_of(std::size_t size) {
  std::size_t order = 0;
  while (order * order < size)
    ++order;
  return order;
}

/// The type of the diagonal of a matrix of type M.
template <class M>
struct DiagonalOf {
  using type = M;
};
template <EigenMatrix M>
struct DiagonalOf<M> {
  using type = Column<typename M::Scalar>;
};
template <class T, std::size_t N>
struct DiagonalOf<std::array<T, N>> {
  using type = std::array<T, order_of(N)>;
};

template <class A>
Dense<typename A::value_type> of_rows(const A &a) {
  using RowMajor =
      Eigen::Matrix<typename A::value_type, Eigen::Dynamic, Eigen::Dynamic, static_cast<int>(Eigen::RowMajor)>;
  const auto order = static_cast<Eigen::Index>(order_of(a.size()));
  if (static_cast<std::size_t>(order * order) != a.size())
    throw std::invalid_argument("assay: an array of " + std::to_string(a.size()) + " numbers is no square matrix");
  return Eigen::Map<const RowMajor>(a.data(), order, order);
}
template <class A>
Dense<typename A::value_type> dense(const A &a) {
  if constexpr (EigenMatrix<A>)
    return a;
  else
    return of_rows(a);
}

inline void require_right_side(Eigen::Index rows, std::size_t right) {
  if (static_cast<std::size_t>(rows) != right)
    throw std::invalid_argument("assay: a system of " + std::to_string(rows) + " equations has a right side with " +
                                std::to_string(right) + " numbers");
}
inline void require_square(Eigen::Index rows, Eigen::Index columns) {
  if (rows != columns)
    throw std::invalid_argument("assay: a matrix with " + std::to_string(rows) + " rows and " +
                                std::to_string(columns) + " columns is not square");
}
/// The matrix of a formula that is for square ones.
template <class Number>
const Dense<Number> &square(const Dense<Number> &a) {
  require_square(a.rows(), a.cols());
  return a;
}
/// The matrix of a linear system.
template <class A>
Dense<typename A::value_type> of_system(const A &a, std::size_t right) {
  Dense<typename A::value_type> matrix = square(dense(a));
  require_right_side(matrix.rows(), right);
  return matrix;
}

/// Adds the matrix to one of the caller's type. Of a shadow in reverse mode only the numbers are there, not the
/// extents.
template <class A>
void add(A &sum, const Dense<typename A::value_type> &a) {
  if constexpr (EigenMatrix<A>)
    Eigen::Map<A>(sum.data(), a.rows(), a.cols()) += a;
  else
    for (Eigen::Index row = 0; row < a.rows(); ++row)
      for (Eigen::Index column = 0; column < a.cols(); ++column)
        sum[static_cast<std::size_t>(row * a.cols() + column)] += a(row, column);
}

/// As the caller's type.
template <class M>
M stored(const auto &a) {
  if constexpr (EigenMatrix<M>) {
    return a;
  } else {
    M result{};
    if constexpr (requires { result.resize(1); })
      result.resize(static_cast<std::size_t>(a.size()));
    add(result, a);
    return result;
  }
}

/// A column, as numbers of the caller's type.
auto column(const auto &numbers) {
  using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
  return Eigen::Map<const Column<Number>>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

/// The numbers of a column, or of the diagonal of a matrix, as the caller's type.
template <class V>
V numbers(const auto &column) {
  V result{};
  if constexpr (requires { result.resize(1); })
    result.resize(static_cast<decltype(result.size())>(column.size()));
  for (Eigen::Index i = 0; i < column.size(); ++i)
    result.data()[i] = column[i];
  return result;
}

/// Where a formula reads the lower triangle of a symmetric matrix: its whole, and the adjoint of the triangle for one
/// of the whole.
template <class Number>
Dense<Number> symmetric(const Dense<Number> &lower) {
  return lower.template selfadjointView<Eigen::Lower>();
}
template <class Number>
Dense<Number> adjoint_of_lower(const Dense<Number> &whole) {
  Dense<Number> lower = (whole + whole.transpose()).template triangularView<Eigen::Lower>();
  lower.diagonal() /= 2;
  return lower;
}

/// The strictly lower triangle and the upper one with the diagonal.
template <class Number>
Dense<Number> strictly_lower(const Dense<Number> &a) {
  return a.template triangularView<Eigen::StrictlyLower>();
}
template <class Number>
Dense<Number> upper(const Dense<Number> &a) {
  return a.template triangularView<Eigen::Upper>();
}

} // namespace detail

/// The rule of a function of one matrix by its formula, a class with these static functions:
///
///   keep(A)                  the values that all others need
///   value<M>(kept)           Y, for a caller who has matrices of type M
///   tangent<M>(kept, dA)     dY
///   adjoint(kept, dY)        the summand of the adjoint of A
template <class Formula>
struct MatrixRule {
  static auto forward(const auto &config, auto a) {
    using M = std::remove_cvref_t<decltype(a.value)>;
    const auto kept = Formula::keep(detail::dense(a.value));
    const auto y = Formula::template value<M>(kept);
    auto tangents = config.each_lane([&](int lane) {
      return a.is_active() ? Formula::template tangent<M>(kept, detail::dense(a.shadow(lane))) : make_zero(y);
    });
    return Duplicated<std::remove_const_t<decltype(y)>, decltype(tangents)>{y, std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto a) {
    using M = std::remove_cvref_t<decltype(a.value)>;
    auto kept = Formula::keep(detail::dense(a.value));
    auto y = Formula::template value<M>(kept);
    return AugmentedReturn{std::move(y), None{}, std::move(kept)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto a) {
    for (const int lane : config.lanes())
      if (a.is_active())
        detail::add(a.shadow(lane), Formula::adjoint(kept, dy(lane)));
  }
};

namespace detail {
template <class Formula, class M>
auto value_of(const M &a) {
  return Formula::template value<M>(Formula::keep(dense(a)));
}
} // namespace detail

} // namespace assay::rules
