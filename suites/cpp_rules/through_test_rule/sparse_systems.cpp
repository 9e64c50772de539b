// The rule of sparse systems, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/sparse_solve.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers matrix{4, 0.2, 1, 3};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, matrix);
}

double sparse_solve(const Numbers &x) {
  rules::SparseMatrix a(2, 2);
  a.insert(0, 0) = x[0];
  a.insert(1, 1) = x[3];
  a.insert(0, 1) = x[1];
  a.makeCompressed();
  return weighed(rules::sparse_solve(a, Eigen::VectorXd{{x[2], 2}}));
}

TEST(SparseRules, SparseSolve) {
  test("sparse_solve", sparse_solve);
}

TEST(SparseRules, EntriesOfASparseMatrixAreOverwritten) {
  rules::SparseMatrix a(2, 2);
  a.insert(1, 1) = 4;
  a.makeCompressed();
  assay::detail::overwrite(a);
  EXPECT_EQ(a.coeff(1, 1), 2.25);
  EXPECT_EQ(a.nonZeros(), 1);
}

} // namespace
