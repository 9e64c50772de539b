#pragma once
// The solution of A x = b with a sparse square matrix of Eigen: the formulas of solve.hpp, with one sparse LU
// factorisation. Derivatives by A are there for the entries that it stores, dA_ij -= w_i x_j. Of a shadow only the
// numbers are read, which stand where those of A do.

#include <Eigen/SparseLU>
#include <assay/rules/dense.hpp>
#include <memory>

namespace assay::rules {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct SparseSolveRule {
  static auto forward(const auto &config, auto a, auto b) {
    const auto factors = factorised(a.value, b.value.size());
    const Column<double> x = solution(*factors, b.value);
    const std::vector<Entry> entries = entries_of(a.value);
    auto tangents = config.each_lane([&](int lane) {
      Column<double> right = 0 * x;
      if (b.is_active())
        right += b.shadow(lane);
      if (a.is_active())
        for (const Entry &entry : entries)
          right[entry.row] -= a.shadow(lane).valuePtr()[entry.place] * x[entry.column];
      return solution(*factors, right);
    });
    return Duplicated<Column<double>, decltype(tangents)>{x, std::move(tangents)};
  }
  static auto augmented_primal(const auto & /*config*/, auto a, auto b) {
    auto factors = factorised(a.value, b.value.size());
    const Column<double> x = solution(*factors, b.value);
    return AugmentedReturn{x, None{}, Kept{std::move(factors), x, entries_of(a.value)}};
  }
  static void reverse(const auto &config, const auto &dx, const auto &kept, auto a, auto b) {
    for (const int lane : config.lanes()) {
      const Column<double> w = kept.x.size() == 0 ? kept.x : Column<double>(kept.factors->transpose().solve(dx(lane)));
      for (Eigen::Index i = 0; b.is_active() && i < w.size(); ++i)
        b.shadow(lane).data()[i] += w[i];
      if (a.is_active())
        for (const Entry &entry : kept.entries)
          a.shadow(lane).valuePtr()[entry.place] -= w[entry.row] * kept.x[entry.column];
    }
  }

  using Factors = Eigen::SparseLU<SparseMatrix>;
  static std::unique_ptr<Factors> factorised(const SparseMatrix &a, Eigen::Index right) {
    detail::require_square(a.rows(), a.cols());
    detail::require_right_side(a.rows(), static_cast<std::size_t>(right));
    auto factors = std::make_unique<Factors>();
    if (right == 0)
      return factors; // Eigen takes no empty matrix
    factors->compute(a);
    if (factors->info() != Eigen::Success)
      throw std::domain_error("assay: the matrix of a sparse system is singular");
    return factors;
  }
  static Column<double> solution(const Factors &factors, const Column<double> &right) {
    if (right.size() == 0)
      return right;
    return factors.solve(right);
  }

private:
  struct Entry {
    Eigen::Index row, column;
    std::ptrdiff_t place; ///< Among the numbers of the matrix.
  };
  struct Kept {
    std::unique_ptr<Factors> factors;
    Column<double> x;
    std::vector<Entry> entries;
  };
  static std::vector<Entry> entries_of(const SparseMatrix &a) {
    std::vector<Entry> entries;
    for (Eigen::Index column = 0; column < a.outerSize(); ++column)
      for (SparseMatrix::InnerIterator entry(a, column); entry; ++entry)
        entries.push_back({entry.row(), entry.col(), &entry.value() - a.valuePtr()});
    return entries;
  }
};

inline Column<double> sparse_solve(const SparseMatrix &a, const Column<double> &b) {
  ASSAY_RULE(SparseSolveRule, sparse_solve);
  return SparseSolveRule::solution(*SparseSolveRule::factorised(a, b.size()), b);
}

} // namespace assay::rules
