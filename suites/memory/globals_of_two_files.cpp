// A global of another file (globals_of_the_other_file.cpp) that keeps a pointer has a shadow for each mode there,
// though that file uses only one of them.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"

extern double *link_of_other_file;

namespace {

/// What the pointer points to is only known in the other file, which differentiates nothing in this mode.
double through_link(const double *x, int n) {
  *link_of_other_file = x[0] * x[1];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += *link_of_other_file * x[i];
  return sum;
}

constexpr double x[3] = {0.7, 1.1, 0.4};

} // namespace

PLUGIN_TEST(GlobalsOfTwoFiles, pointers_lead_to_the_shadow_of_either_mode) {
  double shadow[3] = {};
  __enzyme_autodiff<void>((void *)through_link, enzyme_dup, x, shadow, enzyme_const, 3);
  const double sum = x[0] + x[1] + x[2];
  const double expected[3] = {x[1] * sum + x[0] * x[1], x[0] * sum + x[0] * x[1], x[0] * x[1]};
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE(shadow[i], expected[i]);
  const double tangent[3] = {1, 2, 3};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)through_link, enzyme_dup, x, tangent, enzyme_const, 3),
               expected[0] + 2 * expected[1] + 3 * expected[2]);
}
