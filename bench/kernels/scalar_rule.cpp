// One formula twice: differentiated by the engine, and by a rule that is the engine's derivative written out. What a
// rule costs is the difference.
#include "bench/kernel_of.hpp"
#include <assay/rules.hpp>

namespace assay::bench {

namespace {

constexpr int inputs = 4096;

double weight_of_engine(double x, double y) {
  return x * x * y + x;
}
double weight_of_rule(double x, double y) {
  return x * x * y + x;
}
struct WeightRule {
  static auto forward(const auto & /*config*/, auto x, auto y) {
    return Duplicated{x.value * x.value * y.value + x.value,
                      x.shadow() * (2 * x.value * y.value + 1) + y.shadow() * (x.value * x.value)};
  }
  static auto reverse(const auto & /*config*/, auto dz, None /*tape*/, auto x, auto y) {
    return std::tuple{dz * (2 * x.value * y.value + 1), dz * (x.value * x.value)};
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto y) {
    return AugmentedReturn{x.value * x.value * y.value + x.value};
  }
};
ASSAY_RULE(WeightRule, weight_of_rule);

/// Neighbours are independent: loads, a few operations, and sums of adjoints.
template <double (*weight)(double, double)>
double value(const double *x) {
  double sum = 0;
  for (int i = 0; i + 1 < inputs; ++i)
    sum += weight(x[i], x[i + 1]);
  return sum;
}

} // namespace

Kernel formula_by_engine() {
  return kernel_of<value<weight_of_engine>>({"formula_by_engine", inputs, 0, 0.1, 0.9});
}
Kernel formula_by_rule() {
  return kernel_of<value<weight_of_rule>>({"formula_by_rule", inputs, 0, 0.1, 0.9});
}

} // namespace assay::bench
