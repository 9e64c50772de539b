// What plain_c.c computes, against closed forms.
#include "support/plugin_test.hpp"
#include <cmath>

extern "C" {
double c_interleaved(const double *x, double *dx, const double *y, double *dy, double factor, int n);
void c_interleaved_struct(double *x, double *dx, long n);
double c_batch(const double *x);
double c_series(double x);
double c_series_slope(double x);
double c_rule_without_tape(double x);
}

PLUGIN_TEST(EnzymeInC, InterleavedShadows) {
  double x[2] = {2, 3}, y[2] = {5, 7}, dx[2] = {}, dy[2] = {};
  EXPECT_CLOSE(c_interleaved(x, dx, y, dy, 3, 2), 31);
  EXPECT_CLOSE(dx[1], 21);
  EXPECT_CLOSE(dy[0], 6);
  c_interleaved_struct(x, dx, 2);
  EXPECT_CLOSE(dx[0], 15 + 4);
}
PLUGIN_TEST(EnzymeInC, BatchesOfPointers) {
  const double x[4] = {1, 2, 4, 5};
  EXPECT_CLOSE(c_batch(x), 1 + 5 + 25 + 200);
}
PLUGIN_TEST(EnzymeInC, TripCounts) {
  EXPECT_CLOSE(c_series(0.5), 1 + 0.5 + 0.125 + 0.125 / 6 + 0.0625 / 24);
  EXPECT_CLOSE(c_series_slope(0.5), c_series(0.5));
}
PLUGIN_TEST(EnzymeInC, RulesWithoutTape) {
  EXPECT_CLOSE(c_rule_without_tape(4), 5 * 3 * 2);
}
