// Variants that hold two floats or an owning pointer in the same word, in vectors that grow and are sorted: the
// optimiser loads the word as an address, whatever it is, and the shadow holds an address where later two adjoints are.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace {

using Pair = std::pair<float, float>;

double grown(double x) {
  std::vector<std::variant<Pair, std::unique_ptr<double>>> steps;
  for (int i = 0; i < 3; ++i)
    if (i % 2 == 0)
      steps.push_back(Pair(x, 2 * x));
    else
      steps.push_back(std::make_unique<double>(x));
  double sum = 1;
  for (const auto &step : steps)
    if (const auto *pair = std::get_if<Pair>(&step))
      sum = sum * pair->first + pair->second;
    else
      sum *= *std::get<1>(step);
  return sum; // 3 x^3 + 2 x
}

struct Step {
  std::variant<Pair, std::shared_ptr<double>> what;
  long place;
};

constexpr long steps_to_sort = 7;

double value(const Step &step) {
  if (const auto *pair = std::get_if<Pair>(&step.what))
    return double(pair->first) * pair->second;
  return *std::get<1>(step.what);
}

/// The sum of (place + 1) times i x^2 or i x.
double sorted(double x) {
  std::vector<Step> steps;
  for (long i = 0; i < steps_to_sort; ++i)
    if (i % 3 == 1)
      steps.push_back({std::make_shared<double>(x * i), i * 5 % steps_to_sort});
    else
      steps.push_back({Pair(x, x * i), i * 5 % steps_to_sort});
  std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.place < b.place; });
  double sum = 0, factor = 1;
  for (const Step &step : steps)
    sum += factor++ * value(step);
  return sum;
}

double slope_of_sorted(double x) {
  double sum = 0;
  for (long i = 0; i < steps_to_sort; ++i)
    sum += (i * 5 % steps_to_sort + 1) * (i % 3 == 1 ? 1 : 2 * x) * i;
  return sum;
}

} // namespace

PLUGIN_TEST(VariantsOfPairs, MoveAsTheirVectorGrows) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)grown, 2.0), 9 * 4 + 2);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)grown, 2.0, 1.0), 9 * 4 + 2);
}

PLUGIN_TEST(VariantsOfPairs, AreSorted) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)sorted, 0.5), slope_of_sorted(0.5));
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)sorted, 0.5, 1.0), slope_of_sorted(0.5));
}
