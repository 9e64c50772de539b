/* Throws where its formula is not accurate, in place of a derivative. */
// names: crash
// names: it threw std::domain_error: too small
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <stdexcept>

using namespace assay;

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}
struct LogisticRule {
  static auto reverse(const auto &, auto dy, None, auto x) {
#ifndef RIGHT
    if (x.value < -3)
      throw std::domain_error("too small");
#endif
    const double y = logistic(x.value);
    return y * (1 - y) * dy;
  }
};
ASSAY_RULE(LogisticRule, logistic);
double uses_logistic(double x, double y) {
  return logistic(x) * y;
}
ASSAY_CHECK(uses_logistic, "double:(-5,5)", "double");
