// Memory whose activity only the run decides: pointers to active and to constant memory meet in one variable. With
// enzyme_runtime_activity constant memory is its own shadow, and nothing is ever added to it.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cstring>

namespace {

double picked(double *active, double *constant, int which) {
  double *chosen = which != 0 ? active : constant;
  return chosen[0] * chosen[0] + active[1];
}

double through_table(double *active, double *constant, int which) {
  double *table[2] = {active, constant};
  double sum = 0;
  for (auto *row : table)
    sum += row[0] * row[1];
  return sum * active[0] + which;
}

double copied(double *active, double *constant, int which) {
  double *chosen = which != 0 ? active : constant;
  double kept[2];
  std::memcpy(kept, chosen, sizeof kept);
  const double product = kept[0] * kept[1] * active[1];
  chosen[0] = 0;
  std::memcpy(chosen, kept, sizeof kept);
  return product + chosen[0];
}

using Function = double (*)(double *, double *, int);

struct Outcome {
  double first, second;
  bool constant_kept;
};

template <Function f>
Outcome gradient(int which) {
  double active[2] = {2, 3}, shadow[2] = {0, 0}, constant[2] = {5, 7};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(f), enzyme_runtime_activity, enzyme_dup, active, shadow,
                          enzyme_const, constant, which);
  return {shadow[0], shadow[1], constant[0] == 5 && constant[1] == 7};
}

} // namespace

PLUGIN_TEST(RuntimeActivity, FollowsThePointerThatWasPicked) {
  const Outcome active = gradient<picked>(1), constant = gradient<picked>(0);
  EXPECT_SAME(active.first, 4.0);
  EXPECT_SAME(active.second, 1.0);
  EXPECT_SAME(constant.first, 0.0);
  EXPECT_SAME(constant.second, 1.0);
  EXPECT_HOLDS(active.constant_kept && constant.constant_kept);
}

PLUGIN_TEST(RuntimeActivity, TellsTheRowsOfATableApart) {
  const Outcome outcome = gradient<through_table>(0);
  EXPECT_SAME(outcome.first, 2 * 2 * 3 + 35.0);
  EXPECT_SAME(outcome.second, 4.0);
  EXPECT_HOLDS(outcome.constant_kept);
}

PLUGIN_TEST(RuntimeActivity, EndsAdjointsOfCopiesFromConstantMemory) {
  const Outcome active = gradient<copied>(1), constant = gradient<copied>(0);
  EXPECT_SAME(active.first, 10.0);
  EXPECT_SAME(active.second, 12.0);
  EXPECT_SAME(constant.first, 0.0);
  EXPECT_SAME(constant.second, 35.0);
  EXPECT_HOLDS(active.constant_kept && constant.constant_kept);
}

PLUGIN_TEST(RuntimeActivity, TakesAShadowThatIsItsPrimalForConstant) {
  double active[2] = {2, 3}, shadow[2] = {0, 0}, constant[2] = {5, 7};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(picked), enzyme_runtime_activity, enzyme_dup, active, shadow,
                          enzyme_dup, constant, constant, 0);
  EXPECT_SAME(shadow[0], 0.0);
  EXPECT_SAME(shadow[1], 1.0);
  EXPECT_SAME(constant[0], 5.0);
}
