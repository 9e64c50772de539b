// The rules of singular values and sparse systems, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/sparse_solve.hpp>
#include <assay/rules/svd.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers matrix{4, 0.2, 1, 3};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, matrix);
}

double svd(const Numbers &a) {
  const auto y = rules::svd(Eigen::MatrixXd{{a[0], a[1]}, {0.5, a[2]}, {0.3, a[3]}});
  return weighed(y.values) + 0.5 * weighed(y.u) - 0.7 * weighed(y.v);
}
double sparse_solve(const Numbers &x) {
  rules::SparseMatrix a(2, 2);
  a.insert(0, 0) = x[0];
  a.insert(1, 1) = x[3];
  a.insert(0, 1) = x[1];
  a.makeCompressed();
  return weighed(rules::sparse_solve(a, Eigen::VectorXd{{x[2], 2}}));
}

TEST(SpectralRules, SingularValues) {
  test("svd", svd);
}
TEST(SpectralRules, SparseSolve) {
  test("sparse_solve", sparse_solve);
}

TEST(SpectralRules, EntriesOfASparseMatrixAreOverwritten) {
  rules::SparseMatrix a(2, 2);
  a.insert(1, 1) = 4;
  a.makeCompressed();
  assay::detail::overwrite(a);
  EXPECT_EQ(a.coeff(1, 1), 2.25);
  EXPECT_EQ(a.nonZeros(), 1);
}

} // namespace
