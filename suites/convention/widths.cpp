// Several lanes at once: gradients of scalars by lane, tangents of structs, strided buffers in reverse mode.
#include "support/plugin_test.hpp"
#include <cmath>
#include <cstddef>

struct Two {
  double a, b;
};
struct ThreeOfTwo {
  Two lanes[3];
};
struct ThreeOfEach {
  double x[3], y[3];
};

extern "C" {
extern int enzyme_dup, enzyme_dupv, enzyme_dupnoneedv, enzyme_const, enzyme_width;
ThreeOfEach __enzyme_autodiff_scalars(void *, ...);
ThreeOfTwo __enzyme_fwddiff_structs(void *, ...);
void __enzyme_autodiff_arrays(void *, ...);
}

namespace {

double mixed(double x, double y, const double *p) {
  return x * y * p[0] + std::sin(p[1]);
}
Two powers(double x) {
  return {x * x, x * x * x};
}
void product(const double *a, const double *b, double *c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

} // namespace

PLUGIN_TEST(Widths, GradientsOfScalarsComeLaneByLane) {
  const double p[2] = {2, 0.5};
  double dp[3][2] = {};
  const ThreeOfEach g =
      __enzyme_autodiff_scalars((void *)mixed, enzyme_width, 3, 3.0, 4.0, enzyme_dup, p, dp[0], dp[1], dp[2]);
  for (int lane = 0; lane < 3; ++lane) {
    EXPECT_CLOSE(g.x[lane], 8);
    EXPECT_CLOSE(g.y[lane], 6);
    EXPECT_CLOSE(dp[lane][0], 12);
    EXPECT_CLOSE(dp[lane][1], std::cos(0.5));
  }
}
PLUGIN_TEST(Widths, StructsHaveATangentInEachLane) {
  const ThreeOfTwo t = __enzyme_fwddiff_structs((void *)powers, enzyme_width, 3, 2.0, 1.0, 2.0, 3.0);
  for (int lane = 0; lane < 3; ++lane) {
    EXPECT_CLOSE(t.lanes[lane].a, 4 * (lane + 1));
    EXPECT_CLOSE(t.lanes[lane].b, 12 * (lane + 1));
  }
}
PLUGIN_TEST(Widths, StridedShadowsGiveAJacobianInReverse) {
  const double a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  double c[4], da[4][4] = {}, db[4][4] = {}, dc[4][4] = {};
  for (int lane = 0; lane < 4; ++lane)
    dc[lane][lane] = 1;
  __enzyme_autodiff_arrays((void *)product, enzyme_width, 4, enzyme_dupv, sizeof a, a, da, enzyme_dupv, sizeof b, b, db,
                           enzyme_dupnoneedv, sizeof c, c, dc, enzyme_const, std::size_t(2));
  EXPECT_CLOSE(da[0][0], 5);
  EXPECT_CLOSE(da[0][1], 7);
  EXPECT_CLOSE(da[1][0], 6);
  EXPECT_CLOSE(db[0][2], 2);
  EXPECT_CLOSE(dc[0][0], 0);
}
