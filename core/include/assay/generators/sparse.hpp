// Sparse matrices: first a pattern, then numbers for its places.
#pragma once

#include <assay/generators/matrices.hpp>

#include <utility>

namespace assay::gen {

/// The places of a sparse matrix, row by row and sorted (compressed sparse rows): row i has the columns
/// columns_of[row_starts[i]] to columns_of[row_starts[i + 1] - 1].
struct SparsePattern {
  std::size_t rows = 0, columns = 0;
  std::vector<std::size_t> row_starts; ///< rows + 1 of them
  std::vector<std::size_t> columns_of;

  std::size_t size() const { return columns_of.size(); }
  friend bool operator==(const SparsePattern &, const SparsePattern &) = default;
};

template <class T = double>
struct SparseMatrix {
  SparsePattern pattern;
  std::vector<T> values; ///< one for each place, in its order
  friend bool operator==(const SparseMatrix &, const SparseMatrix &) = default;
};

/// Each place with probability `density`; shrinks by losing places.
rc::Gen<SparsePattern> sparse_pattern(std::size_t rows, std::size_t columns, double density);
/// n x n, each place beside the diagonal with probability `density`, and all of the diagonal.
rc::Gen<SparsePattern> sparse_pattern_with_diagonal(std::size_t n, double density);
/// The diagonal, `below` diagonals under it and `above` over it.
SparsePattern banded_pattern(std::size_t rows, std::size_t columns, std::size_t below, std::size_t above);
/// The diagonal, the first row and the first column.
SparsePattern arrow_pattern(std::size_t n);
/// Blocks of `block` x `block` along the diagonal; the last is smaller where n is no multiple.
SparsePattern block_diagonal_pattern(std::size_t n, std::size_t block);

/// Numbers from `element` at the pattern's places.
template <class T>
rc::Gen<SparseMatrix<T>> sparse(const rc::Gen<SparsePattern> &pattern, const rc::Gen<T> &element) {
  return rc::gen::mapcat(pattern, [element](SparsePattern places) {
    const std::size_t count = places.size();
    return rc::gen::map(vector(element, count), [places = std::move(places)](const std::vector<T> &values) {
      return SparseMatrix<T>{places, values};
    });
  });
}
template <class T>
rc::Gen<SparseMatrix<T>> sparse(SparsePattern pattern, const rc::Gen<T> &element) {
  return sparse(fixed(std::move(pattern)), element);
}

} // namespace assay::gen
