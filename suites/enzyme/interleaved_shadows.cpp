// Calls with all values first and all shadows behind enzyme_interleave.
#include "support/plugin_test.hpp"
#include <cmath>

struct Slice {
  double *data;
  long size;
};
struct Two {
  double a, b;
};
struct Pair {
  double value, tangent;
};
struct TapedDouble {
  void *tape;
  double value;
};

namespace {

double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
double scaled_dot(const double *x, double factor, const double *y, int n) {
  return factor * factor * dot(x, y, n);
}
double sum_of_squares(Slice slice, double factor) {
  double sum = 0;
  for (long i = 0; i < slice.size; ++i)
    sum += factor * slice.data[i] * slice.data[i];
  return sum;
}
double product(double x, double y) {
  return x * y;
}
/// The registers of a Slice as parameters of their own, as other compilers pass structs.
double sum_of_registers(double *data, long size) {
  return sum_of_squares({data, size}, 1);
}

} // namespace

extern "C" {
extern int enzyme_dup, enzyme_dupv, enzyme_out, enzyme_const, enzyme_width, enzyme_interleave, enzyme_primal_return;
double __enzyme_autodiff_interleaved(void *, ...);
Two __enzyme_autodiff_interleaved_two(void *, ...);
double __enzyme_fwddiff_interleaved(void *, ...);
Pair __enzyme_fwddiff_interleaved_pair(void *, ...);
Two __enzyme_fwddiff_interleaved_lanes(void *, ...);
TapedDouble __enzyme_augmentfwd_interleaved(void *, ...);
double __enzyme_reverse_interleaved(void *, ...);
}
template <class Result, class... Arguments>
Result __enzyme_autodiff(void *, Arguments...);

PLUGIN_TEST(InterleavedShadows, FollowAllValuesInReverseMode) {
  const double x[2] = {2, 3}, y[2] = {5, 7};
  double dx[2] = {}, dy[2] = {};
  const double dfactor = __enzyme_autodiff_interleaved((void *)scaled_dot, enzyme_dup, x, enzyme_out, 3.0, enzyme_dup,
                                                       y, enzyme_const, 2, enzyme_interleave, dx, dy);
  EXPECT_CLOSE(dfactor, 6 * 31);
  EXPECT_CLOSE(dx[1], 9 * 7);
  EXPECT_CLOSE(dy[0], 9 * 2);
}
PLUGIN_TEST(InterleavedShadows, AValueWithoutMarkerIsLikeTheOneBefore) {
  const double x[2] = {2, 3}, y[2] = {5, 7};
  double dx[2] = {}, dy[2] = {};
  __enzyme_autodiff_interleaved((void *)dot, enzyme_dup, x, y, enzyme_const, 2, enzyme_interleave, dx, dy);
  EXPECT_CLOSE(dx[0], 5);
  EXPECT_CLOSE(dy[1], 3);
  const Two both = __enzyme_autodiff_interleaved_two((void *)product, enzyme_out, 3.0, 4.0, enzyme_interleave);
  EXPECT_CLOSE(both.a, 4);
  EXPECT_CLOSE(both.b, 3);
  EXPECT_CLOSE(
      __enzyme_fwddiff_interleaved((void *)product, enzyme_const, 3.0, enzyme_dup, 4.0, enzyme_interleave, 1.0), 3);
}
PLUGIN_TEST(InterleavedShadows, OfAStructInRegistersComeTogether) {
  double x[3] = {1, 2, 3}, dx[3] = {};
  const double df = __enzyme_autodiff<double>((void *)sum_of_squares, enzyme_dup, Slice{x, 3}, enzyme_out, 2.0,
                                              enzyme_interleave, Slice{dx, 3});
  EXPECT_CLOSE(df, 14);
  EXPECT_CLOSE(dx[2], 12);
  __enzyme_autodiff<void>((void *)sum_of_registers, enzyme_dup, x, 3L, enzyme_interleave, dx, 3L);
  EXPECT_CLOSE(dx[2], 18);
}
PLUGIN_TEST(InterleavedShadows, ForwardModeAndItsLanes) {
  const double x[2] = {2, 3}, y[2] = {5, 7}, tangents[2][2] = {{1, 0}, {0, 1}};
  const Pair both = __enzyme_fwddiff_interleaved_pair((void *)dot, enzyme_primal_return, enzyme_dup, x, enzyme_dup, y,
                                                      enzyme_const, 2, enzyme_interleave, tangents[0], tangents[1]);
  EXPECT_CLOSE(both.value, 31);
  EXPECT_CLOSE(both.tangent, 5 + 3);
  const Two lanes = __enzyme_fwddiff_interleaved_lanes((void *)dot, enzyme_width, 2, enzyme_dup, x, enzyme_const, y,
                                                       enzyme_const, 2, enzyme_interleave, tangents[0], tangents[1]);
  EXPECT_CLOSE(lanes.a, 5);
  EXPECT_CLOSE(lanes.b, 7);
  const Two strided =
      __enzyme_fwddiff_interleaved_lanes((void *)dot, enzyme_width, 2, enzyme_dupv, sizeof tangents[0], x, enzyme_const,
                                         y, enzyme_const, 2, enzyme_interleave, tangents);
  EXPECT_CLOSE(strided.a, 5);
  EXPECT_CLOSE(strided.b, 7);
}
PLUGIN_TEST(InterleavedShadows, InBothHalvesOfTheSplitMode) {
  const double x[2] = {2, 3}, y[2] = {5, 7};
  double dx[2] = {}, dy[2] = {};
  const TapedDouble forward = __enzyme_augmentfwd_interleaved(
      (void *)scaled_dot, enzyme_dup, x, enzyme_out, 3.0, enzyme_dup, y, enzyme_const, 2, enzyme_interleave, dx, dy);
  EXPECT_CLOSE(forward.value, 9 * 31);
  const double dfactor = __enzyme_reverse_interleaved((void *)scaled_dot, enzyme_dup, x, enzyme_out, 3.0, enzyme_dup, y,
                                                      enzyme_const, 2, enzyme_interleave, dx, dy, 2.0, forward.tape);
  EXPECT_CLOSE(dfactor, 2 * 6 * 31);
  EXPECT_CLOSE(dx[0], 2 * 9 * 5);
}
