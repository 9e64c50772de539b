// The rules of factorisations, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/cholesky.hpp>
#include <assay/rules/lu.hpp>
#include <assay/rules/qr.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers matrix{4, 1, 2, 3};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, matrix);
}

double cholesky(const Numbers &a) {
  return weighed(rules::cholesky(a));
}
double lu(const Numbers &a) {
  return weighed(rules::lu(a).packed);
}
double qr(const Numbers &a) {
  const auto y = rules::qr(Eigen::MatrixXd{{a[0], a[1]}, {0.5, a[2]}, {0.3, a[3]}});
  return weighed(y.q) + 0.5 * weighed(y.r);
}

TEST(MatrixRules, Cholesky) {
  test("cholesky", cholesky);
}
TEST(MatrixRules, LU) {
  test("lu", lu);
}
TEST(MatrixRules, QR) {
  test("qr", qr);
}

} // namespace
