/* Lanes in blocks of four, and the rest of them from the first lane on. */
// names: wrong derivative
// names: width 5
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <vector>

using namespace assay;

double energies(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::exp(x[i]);
  return sum;
}
struct EnergiesRule {
  static auto augmented_primal(const auto &, auto x, auto n) {
    return AugmentedReturn{energies(x.value, n.value), None{}, std::vector<double>(x.value, x.value + n.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x, auto n) {
    const int width = config.width();
    for (int i = 0; x.is_active() && i < n.value; ++i) {
      const double slope = std::exp(kept[i]);
      int lane = 0;
      for (; lane + 4 <= width; lane += 4)
        for (int each = lane; each < lane + 4; ++each)
          x.shadow(each)[i] += slope * dy(each);
#ifndef RIGHT
      lane = 0;
      const int end = width % 4;
#else
      const int end = width;
#endif
      for (; lane < end; ++lane)
        x.shadow(lane)[i] += slope * dy(lane);
    }
  }
};
ASSAY_RULE(EnergiesRule, energies);

double uses_energies(const double *x, int n) {
  return energies(x, n);
}
ASSAY_CHECK(uses_energies, "double[5]", "int=5");
