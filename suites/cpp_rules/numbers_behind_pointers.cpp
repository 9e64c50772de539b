// Pointers of a function with a rule lead to what its declaration says: integers behind one need no shadow, which is
// all that is known of functions of other files, and of launches and CUB's algorithms.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>

using namespace assay;

/// y[places[i]] += 3 x[i]. Nothing here tells what `places` leads to but its type.
void add_to_places(double *y, const double *x, int *places, int n);

namespace {

struct AddRule {
  static constexpr bool hides_body = true;
  static void forward(const auto & /*config*/, auto y, auto x, auto places, auto n) {
    add_to_places(y.value, x.value, places.value, n.value);
    if (y.is_active() && x.is_active())
      add_to_places(y.shadow(), x.shadow(), places.value, n.value);
  }
  static auto augmented_primal(const auto & /*config*/, auto y, auto x, auto places, auto n) {
    add_to_places(y.value, x.value, places.value, n.value);
    return AugmentedReturn{None{}, None{}, None{}};
  }
  static void reverse(const auto & /*config*/, auto /*result*/, None /*tape*/, auto y, auto x, auto places, auto n) {
    if (y.is_active() && x.is_active())
      for (int i = 0; i < n.value; ++i)
        const_cast<double *>(x.shadow())[i] += 3 * y.shadow()[places.value[i]];
  }
};
ASSAY_RULE(AddRule, add_to_places);

void add_twice(const double *x, double *y, int *places, int n) {
  add_to_places(y, x, places, n);
  add_to_places(y, x + 1, places + 1, n - 1);
}

PLUGIN_TEST(RulePointers, ToIntegersAreConstantBesideActiveOnes) {
  const double x[4] = {1, 2, 3, 4}, dx_forward[4] = {1, 10, 100, 1000};
  double y[3] = {}, dy[3] = {1, 2, 4}, dx[4] = {};
  int places[4] = {0, 2, 2, 1};
  autodiff<Reverse>(add_twice, Duplicated{(const double *)x, (double *)dx}, Duplicated{(double *)y, (double *)dy},
                    Const{(int *)places}, Const{4});
  EXPECT_SAME(y[0], 3);
  EXPECT_SAME(y[1], 24);
  EXPECT_SAME(y[2], 30);
  EXPECT_SAME(dx[0], 3);
  EXPECT_SAME(dx[1], 24);
  EXPECT_SAME(dx[2], 24);
  EXPECT_SAME(dx[3], 12);
  double tangents[3] = {};
  autodiff<Forward>(add_twice, Duplicated{(const double *)x, (const double *)dx_forward},
                    Duplicated{(double *)y, (double *)tangents}, Const{(int *)places}, Const{4});
  EXPECT_SAME(tangents[0], 3);
  EXPECT_SAME(tangents[1], 6000);
  EXPECT_SAME(tangents[2], 660);
}

} // namespace
