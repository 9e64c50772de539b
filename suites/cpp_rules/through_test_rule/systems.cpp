// The rules of linear systems, inverses and determinants, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/inverse.hpp>
#include <assay/rules/logdet.hpp>
#include <assay/rules/solve.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers matrix{4, 1, 2, 3};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, matrix);
}

double solve(const Numbers &a) {
  return weighed(rules::solve(a, Numbers{a[1], a[0]}));
}
double inverse(const Numbers &a) {
  return weighed(rules::inverse(a));
}
double logdet(const Numbers &a) {
  return rules::logdet(a);
}

TEST(MatrixRules, Solve) {
  test("solve", solve);
}
TEST(MatrixRules, Inverse) {
  test("inverse", inverse);
}
TEST(MatrixRules, LogDeterminant) {
  test("logdet", logdet);
}

} // namespace
