// A rule that keeps derivatives by the content of its arguments, in a variable that is made before the program starts.
#include <assay/check.h>
#include <assay/rules.hpp>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

using namespace assay;

static thread_local std::unordered_map<std::string, std::vector<double>> kept_slopes;

double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * std::cos(x[i]);
  return sum;
}

static std::vector<double> slopes(const double *x, int n) {
  std::vector<double> &kept = kept_slopes[std::string(reinterpret_cast<const char *>(x), n * sizeof *x)];
  for (int i = static_cast<int>(kept.size()); i < n; ++i)
    kept.push_back(-(i + 1) * std::sin(x[i]));
  return kept;
}
struct EnergyRule {
  static auto augmented_primal(const auto & /*config*/, auto x, auto n) {
    return AugmentedReturn{energy(x.value, n.value), None{}, slopes(x.value, n.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &kept, auto x, auto n) {
    for (const int lane : config.lanes())
      for (int i = 0; x.is_active() && i < n.value; ++i)
        x.shadow(lane)[i] += kept[i] * dy(lane);
  }
};
ASSAY_RULE(EnergyRule, energy);

double uses_energy(const double *x, int n) {
  return energy(x, n);
}
ASSAY_CHECK(uses_energy, "double[4]", "int=4");
