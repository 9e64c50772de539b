// The parts of matrices.hpp that depend on a user's generator of elements.
#pragma once

namespace assay::gen {

namespace detail {
/// Where element (row, column) of a triangle, given with row >= column, stands among its n (n + 1) / 2 numbers.
constexpr std::size_t packed(std::size_t row, std::size_t column) {
  return row * (row + 1) / 2 + column;
}

/// A magnitude in [1/2, 2] with either sign; shrinks to 1.
template <std::floating_point T>
rc::Gen<T> pivot();

/// The product of the reflections that `normals` (n vectors of lengths n, n - 1, ..., 1, one after the other) say.
template <std::floating_point T>
Matrix<T> reflections(std::size_t n, const std::vector<T> &normals);

constexpr std::size_t numbers_of_reflections(std::size_t n) {
  return n * (n + 1) / 2;
}
} // namespace detail

template <class T>
rc::Gen<Matrix<T>> symmetric(std::size_t n, const rc::Gen<T> &element) {
  return rc::gen::map(vector(element, n * (n + 1) / 2), [n](const std::vector<T> &values) {
    Matrix<T> result{n, n, std::vector<T>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        result(i, j) = values[i >= j ? detail::packed(i, j) : detail::packed(j, i)];
    return result;
  });
}

template <class T>
rc::Gen<Matrix<T>> triangular(std::size_t n, Triangle triangle, Diagonal diagonal, const rc::Gen<T> &element) {
  const auto pivots = diagonal == Diagonal::unit ? fixed(std::vector<T>(n, T(1))) : vector(detail::pivot<T>(), n);
  return rc::gen::map(tuple(vector(element, n * (n + 1) / 2), pivots), [=](const auto &parts) {
    const auto &[values, on_diagonal] = parts;
    Matrix<T> result{n, n, std::vector<T>(n * n)};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        (triangle == Triangle::lower ? result(i, j) : result(j, i)) = values[detail::packed(i, j)];
      result(i, i) = on_diagonal[i];
    }
    return result;
  });
}

} // namespace assay::gen
