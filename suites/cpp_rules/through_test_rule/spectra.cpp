// The rules of eigensystems and the matrix exponential, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/eigensystem.hpp>
#include <assay/rules/exponential.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

const Numbers matrix{4, 0.2, 1, 3};

void test(const char *name, double (*f)(const Numbers &)) {
  bundled::test_function<std::false_type>(name, f, matrix);
}

double eigensystem(const Numbers &a) {
  const auto y = rules::eigensystem(a);
  return weighed(y.values) + 0.5 * weighed(y.vectors);
}
double exponential(const Numbers &a) {
  return weighed(rules::exponential(Numbers{0.1 * a[0], a[1], 0.2, 0.3 * a[2]}));
}

TEST(SpectralRules, Eigensystem) {
  test("eigensystem", eigensystem);
}
TEST(SpectralRules, Exponential) {
  test("exponential", exponential);
}

} // namespace
