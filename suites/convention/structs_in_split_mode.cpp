// Split mode with structs: as results in registers and in memory, as seeds, as arguments by value and by reference.
#include "support/plugin_test.hpp"
#include <cmath>
#include <cstddef>

struct Two {
  double a, b;
};
struct Three {
  double v[3];
};
struct Five {
  double v[5];
};

namespace {

Two product_and_square(double x, double y) {
  return {x * y, x * x};
}

Five sines(const double *x, double scale) {
  Five result;
  for (int i = 0; i < 5; ++i)
    result.v[i] = (i + 1) * std::sin(scale * x[i]);
  return result;
}

/// Overwrites its own copy of the struct.
double of_copy(Five five, double scale) {
  double sum = 0;
  for (double &v : five.v) {
    sum += scale * v * v;
    v *= 2;
  }
  return sum * five.v[1];
}

double volume(Three sides, double scale) {
  return scale * sides.v[0] * sides.v[1] * sides.v[2];
}

struct FiveAndOne {
  Five five;
  double one;
};

struct TapedTwo {
  void *tape;
  Two value;
};
struct TapedFive {
  void *tape;
  Five value;
};
struct TapedDouble {
  void *tape;
  double value;
};

} // namespace

extern "C" {
extern int enzyme_dup, enzyme_out, enzyme_byref, enzyme_const, enzyme_nofree, enzyme_width;
TapedTwo __enzyme_augmentfwd_two(void *, ...);
Two __enzyme_reverse_two(void *, ...);
TapedFive __enzyme_augmentfwd_five(void *, ...);
TapedDouble __enzyme_augmentfwd_copy(void *, ...);
FiveAndOne __enzyme_reverse_copy(void *, ...);
double __enzyme_reverse_five(void *, ...);
Two __enzyme_reverse_wide(void *, ...);
double __enzyme_autodiff_byref(void *, ...);
}

PLUGIN_TEST(StructsInSplitMode, SmallResultsComeAndAreSeededInRegisters) {
  const auto forward = __enzyme_augmentfwd_two((void *)product_and_square, 2.0, 3.0);
  EXPECT_SAME(forward.value.a, 6);
  EXPECT_SAME(forward.value.b, 4);
  const Two g = __enzyme_reverse_two((void *)product_and_square, 2.0, 3.0, Two{1, 10}, forward.tape);
  EXPECT_CLOSE(g.a, 3 + 40);
  EXPECT_CLOSE(g.b, 2);
}
PLUGIN_TEST(StructsInSplitMode, LargeResultsSurviveWhatIsOverwritten) {
  const double x[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
  double overwritten[5], dx[5] = {};
  for (int i = 0; i < 5; ++i)
    overwritten[i] = x[i];
  const auto forward = __enzyme_augmentfwd_five((void *)sines, enzyme_dup, overwritten, dx, 1.7);
  for (double &v : overwritten)
    v = 100;
  const Five seed = {1, 2, 3, 4, 5};
  const double scale = __enzyme_reverse_five((void *)sines, enzyme_dup, overwritten, dx, 1.7, seed, forward.tape);
  double expected = 0;
  for (int i = 0; i < 5; ++i) {
    EXPECT_CLOSE(forward.value.v[i], (i + 1) * std::sin(1.7 * x[i]));
    EXPECT_CLOSE(dx[i], (i + 1) * (i + 1) * 1.7 * std::cos(1.7 * x[i]));
    expected += (i + 1) * (i + 1) * x[i] * std::cos(1.7 * x[i]);
  }
  EXPECT_CLOSE(scale, expected);
}
PLUGIN_TEST(StructsInSplitMode, OneTapeServesSeveralLanesAndPasses) {
  double x[5] = {0.1, 0.2, 0.3, 0.4, 0.5}, first[5] = {}, second[5] = {}, again[5] = {};
  const auto forward =
      __enzyme_augmentfwd_five((void *)sines, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, 2.0);
  const Five one = {1}, two = {0, 1};
  __enzyme_reverse_wide((void *)sines, enzyme_width, 2, enzyme_nofree, enzyme_dup, x, first, second, enzyme_const, 2.0,
                        one, two, forward.tape);
  __enzyme_reverse_wide((void *)sines, enzyme_width, 2, enzyme_dup, x, again, second, enzyme_const, 2.0, one, two,
                        forward.tape);
  EXPECT_CLOSE(first[0], 2 * std::cos(0.2));
  EXPECT_CLOSE(again[0], 2 * std::cos(0.2));
  EXPECT_CLOSE(second[1], 2 * 4 * std::cos(0.4));
  EXPECT_CLOSE(second[0], 0);
}
PLUGIN_TEST(StructsInSplitMode, StructsByValueReturnTheirGradient) {
  const Five five = {1, 2, 3, 4, 5};
  const auto forward = __enzyme_augmentfwd_copy((void *)of_copy, enzyme_out, five, 0.5);
  EXPECT_CLOSE(forward.value, 27.5 * 4);
  const FiveAndOne g = __enzyme_reverse_copy((void *)of_copy, enzyme_out, five, 0.5, 1.0, forward.tape);
  for (int i = 0; i < 5; ++i)
    EXPECT_CLOSE(g.five.v[i], five.v[i] * 4 + (i == 1 ? 2 * 27.5 : 0));
  EXPECT_CLOSE(g.one, 55 * 4);
}
PLUGIN_TEST(StructsInSplitMode, AByReferenceShadowIsTheUsersOwn) {
  const Three sides = {2, 3, 4};
  Three gradient = {1, 0, 0};
  const double scale =
      __enzyme_autodiff_byref((void *)volume, enzyme_byref, sizeof(Three), enzyme_dup, &sides, &gradient, 2.0);
  EXPECT_CLOSE(scale, 24);
  EXPECT_CLOSE(gradient.v[0], 1 + 24);
  EXPECT_CLOSE(gradient.v[2], 12);
}
