// Matrices of a known kind: symmetric, orthogonal, positive definite, triangular, with a given condition number,
// sparse.
//
// Made by correctly rounded operations (+, -, *, /, sqrt) in a fixed order, so the same stream gives the same bits on
// every machine. They shrink as matrices of their kind: an orthogonal one toward the identity, singular values
// toward 1.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/gen/Transform.h>

#include <assay/generators/numbers.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace assay::gen {

/// rows x columns numbers, row by row.
template <class T = double>
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<T> values;

  T &operator()(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  const T &operator()(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  friend bool operator==(const Matrix &, const Matrix &) = default;
};

enum class Triangle : std::uint8_t { lower, upper };
enum class Diagonal : std::uint8_t {
  unit, ///< ones
  free  ///< magnitudes in [1/2, 2], either sign: far from singular
};

/// Every element from `element`.
template <class T>
rc::Gen<Matrix<T>> matrix(std::size_t rows, std::size_t columns, const rc::Gen<T> &element) {
  return rc::gen::map(vector(element, rows * columns),
                      [=](const std::vector<T> &values) { return Matrix<T>{rows, columns, values}; });
}

/// n x n with a(i, j) == a(j, i).
template <class T>
rc::Gen<Matrix<T>> symmetric(std::size_t n, const rc::Gen<T> &element);

/// n x n, Q^T Q = I to rounding, from Haar's measure (Stewart, "The efficient generation of random orthogonal
/// matrices", 1980: a product of Householder reflections of normal vectors).
template <std::floating_point T = double>
rc::Gen<Matrix<T>> orthogonal(std::size_t n);

/// Q diag(lambda) Q^T with eigenvalues spread geometrically from 1 / `condition` to 1; exactly symmetric.
/// condition >= 1, else std::invalid_argument.
template <std::floating_point T = double>
rc::Gen<Matrix<T>> positive_definite(std::size_t n, std::type_identity_t<T> condition = 10);

/// U diag(sigma) V^T with singular values spread geometrically from 1 / `condition` to 1: the condition number in the
/// 2-norm, to rounding.
template <std::floating_point T = double>
rc::Gen<Matrix<T>> with_condition(std::size_t rows, std::size_t columns, std::type_identity_t<T> condition);

/// n x n, zero on the other side of the diagonal; off it from `element`.
template <class T>
rc::Gen<Matrix<T>> triangular(std::size_t n, Triangle triangle, Diagonal diagonal, const rc::Gen<T> &element);

/// n x n with one 1 in each row and column, each order equally likely; shrinks toward the identity.
template <std::floating_point T = double>
rc::Gen<Matrix<T>> permutation(std::size_t n);

} // namespace assay::gen

#include <assay/generators/matrices_impl.hpp>
