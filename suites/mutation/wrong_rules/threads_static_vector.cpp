/* Works in a static vector, which is to save allocations and which all threads share. */
// names: wrong state
// names: called from two threads at once, each with its own arguments, the derivative gives other numbers than alone
// names: they share the variable AnglesRule::reverse::slopes (f.cpp:
// names: which each call fills before it reads it
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <vector>

using namespace assay;

#ifdef RIGHT
#define STORAGE
#else
#define STORAGE static
#endif

double angles(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += std::atan(x[i]);
  return sum;
}
struct AnglesRule {
  static auto augmented_primal(const auto &, auto x, auto n) {
    return AugmentedReturn{angles(x.value, n.value), None{}, std::vector<double>(x.value, x.value + n.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x, auto n) {
    STORAGE std::vector<double> slopes;
    slopes.clear();
    for (const double each : kept)
      slopes.push_back(1 / (1 + each * each));
    for (const int lane : config.lanes())
      for (int i = 0; x.is_active() && i < n.value; ++i)
        x.shadow(lane)[i] += slopes[i] * dy(lane);
  }
};
ASSAY_RULE(AnglesRule, angles);

double uses_angles(const double *x, int n) {
  return angles(x, n);
}
ASSAY_CHECK(uses_angles, "double[5]", "int=5");
