// The rule of singular values, through test_rule.
#include "through_test_rule.hpp"
#include <assay/rules/svd.hpp>

using namespace assay;
using bundled::Numbers;
using bundled::weighed;

namespace {

double svd(const Numbers &a) {
  const auto y = rules::svd(Eigen::MatrixXd{{a[0], a[1]}, {0.5, a[2]}, {0.3, a[3]}});
  return weighed(y.values) + 0.5 * weighed(y.u) - 0.7 * weighed(y.v);
}

TEST(SpectralRules, SingularValues) {
  bundled::test_function<std::false_type>("svd", svd, {4, 0.2, 1, 3});
}

} // namespace
