#pragma once
// Sparse systems whose matrix depends on the numbers, and what a solver makes of one.

#include "support/vector_program.hpp"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

namespace assay::suites {

using Matrix = Eigen::SparseMatrix<double>;
enum class Shape { symmetric, any };

inline constexpr int size = 4;

template <Shape shape>
Matrix tridiagonal(const double *x, int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 4 + x[i % n] * x[i % n]);
    if (i == 0)
      continue;
    entries.emplace_back(i, i - 1, x[(i + 1) % n]);
    entries.emplace_back(i - 1, i, shape == Shape::symmetric ? x[(i + 1) % n] : 0.5 * x[i % n]);
  }
  Matrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

template <class Solver, Shape shape>
double solve(const double *x, int n) {
  const Matrix matrix = tridiagonal<shape>(x, n);
  Eigen::VectorXd right(size);
  for (int i = 0; i < size; ++i)
    right[i] = 1 + i * x[i % n];
  Solver solver;
  solver.compute(matrix);
  return solver.solve(right).eval().squaredNorm();
}

} // namespace assay::suites
