// Jacobians and Hessians with a pattern, in as many runs as there are colours.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/sparse.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace assay;

namespace {

/// Each result depends on its neighbours.
std::vector<double> second_differences(const std::vector<double> &x) {
  const std::size_t n = x.size();
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i)
    y[i] = x[i] * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? 2 * x[i + 1] : 0);
  return y;
}
double chain(const std::vector<double> &x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += x[i] * x[i] * x[i + 1];
  return sum;
}

PLUGIN_TEST(SparseJacobian, OfATridiagonalFunctionNeedsThreeColours) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7};
  const SparsityPattern pattern = detect_pattern(second_differences, x);
  const auto colours = colour_columns(pattern);
  for (std::size_t i = 0; i != x.size(); ++i)
    EXPECT_HOLDS(colours[i] == i % 3);
  const auto sparse = sparse_jacobian<Forward>(second_differences, x, pattern);
  const auto dense = jacobian<Forward>(second_differences, x);
  EXPECT_HOLDS(sparse.rows() == 7 && sparse.cols() == 7);
  for (std::size_t i = 0; i != 7; ++i)
    for (std::size_t j = 0; j != 7; ++j)
      EXPECT_SAME(sparse(i, j), dense(i, j));
}

PLUGIN_TEST(SparseHessian, IsTheHessian) {
  const std::vector<double> x{1, 2, 3, 4, 5};
  const auto sparse = sparse_hessian(chain, x, detect_hessian_pattern(chain, x));
  const auto dense = hessian(chain, x);
  for (std::size_t i = 0; i != 5; ++i)
    for (std::size_t j = 0; j != 5; ++j)
      EXPECT_SAME(sparse(i, j), dense(i, j));
}

PLUGIN_TEST(SparseJacobian, RefusesAPatternOfAnotherSize) {
  bool refused = false;
  try {
    sparse_jacobian<Forward>(second_differences, std::vector<double>{1, 2}, SparsityPattern{2, 3, {{0}, {1}}});
  } catch (const std::invalid_argument &error) {
    refused = std::string(error.what()).find("has 3 columns, but the argument has 2 numbers") != std::string::npos;
  }
  EXPECT_HOLDS(refused);
}

PLUGIN_TEST(SparseJacobian, RefusesColumnsThatThereAreNot) {
  const auto refusal = [](SparsityPattern pattern) {
    try {
      sparse_jacobian<Forward>(second_differences, std::vector<double>{1, 2}, pattern);
    } catch (const std::invalid_argument &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_HOLDS(refusal({2, 2, {{0}, {1, 9}}}) == "assay: row 1 of the pattern names column 9 of 2");
  EXPECT_HOLDS(refusal({2, 2, {{1, 0}, {1}}}) ==
               "assay: the columns of row 0 of the pattern are not in ascending order");
  EXPECT_HOLDS(refusal({3, 2, {{0}, {1}}}) == "assay: the pattern has 3 rows, but lists the columns of 2");
}

} // namespace
