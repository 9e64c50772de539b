// Eigen's matrices from the generators of matrices.hpp and sparse.hpp:
//
//     gen::as_eigen(gen::positive_definite(4, 100.0))   // rc::Gen<Eigen::MatrixXd>
//     gen::as_eigen(gen::sparse(gen::arrow_pattern(5), gen::nonzero()))   // rc::Gen<Eigen::SparseMatrix<double>>
#pragma once

#include <assay/generators/sparse.hpp>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace assay::gen {

template <class T>
Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> to_eigen(const Matrix<T> &matrix) {
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(matrix.values.data(), static_cast<Eigen::Index>(matrix.rows),
                                    static_cast<Eigen::Index>(matrix.columns));
}

/// Every place is stored, also where the number is zero.
template <class T>
Eigen::SparseMatrix<T> to_eigen(const SparseMatrix<T> &matrix) {
  const SparsePattern &pattern = matrix.pattern;
  Eigen::SparseMatrix<T> result(static_cast<Eigen::Index>(pattern.rows), static_cast<Eigen::Index>(pattern.columns));
  std::vector<Eigen::Triplet<T>> places;
  for (std::size_t row = 0; row < pattern.rows; ++row)
    for (std::size_t place = pattern.row_starts[row]; place < pattern.row_starts[row + 1]; ++place)
      places.emplace_back(static_cast<int>(row), static_cast<int>(pattern.columns_of[place]), matrix.values[place]);
  result.setFromTriplets(places.begin(), places.end());
  return result;
}

template <class M>
auto as_eigen(const rc::Gen<M> &generator) {
  return rc::gen::map(generator, [](const M &matrix) { return to_eigen(matrix); });
}

} // namespace assay::gen
