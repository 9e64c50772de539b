// Registered rules at a width above 1, and forward rules in two halves.
#include "support/plugin_test.hpp"
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

struct Two {
  double first, second;
};
struct Taped {
  void *tape;
  double value;
};

namespace {
int tapes_alive = 0;

void *keep(double x) {
  ++tapes_alive;
  auto *tape = static_cast<double *>(std::malloc(sizeof(double)));
  *tape = x;
  return tape;
}
double release(void *tape) {
  --tapes_alive;
  const double x = *static_cast<double *>(tape);
  std::free(tape);
  return x;
}
} // namespace

struct Three {
  double values[3];
};

extern "C" {
extern int enzyme_dup, enzyme_const, enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_arrays(void *, ...);
Two __enzyme_autodiff_lanes(void *, ...);
Three __enzyme_fwddiff_three(void *, ...);

// A pure function: all of its rule runs once a lane.
NOINLINE double square(double x) {
  return x * x;
}
Taped square_augmented(double x) {
  return {keep(x), x * x};
}
double square_reverse(double, double seed, void *tape) {
  return 20 * release(tape) * seed;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented, (void *)square_reverse};

// One that overwrites its argument: the augmented pass must run once only.
NOINLINE void scale(double *x, int n, double factor) {
  for (int i = 0; i < n; ++i)
    x[i] *= factor;
}
void *scale_augmented(double *x, double *, int n, double factor) {
  auto *tape = static_cast<double *>(std::malloc(n * sizeof(double)));
  for (int i = 0; i < n; ++i) {
    tape[i] = x[i];
    x[i] *= factor;
  }
  return tape;
}
double scale_reverse(double *, double *dx, int n, double factor, void *memory) {
  auto *tape = static_cast<double *>(memory);
  double gradient = 0;
  for (int i = 0; i < n; ++i) {
    gradient += 100 * dx[i] * tape[i];
    dx[i] *= 3 * factor;
  }
  std::free(tape);
  return gradient;
}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)scale_augmented, (void *)scale_reverse};

// A forward rule in two halves.
NOINLINE double cube(double x) {
  return x * x * x;
}
Taped cube_augmented(double x) {
  return {keep(x), x * x * x};
}
double cube_forward(double, double dx, void *tape) {
  return 300 * release(tape) * dx;
}

// Forward rules of functions that change their arguments in place: what they change is put back before the next lane.
NOINLINE void add_last(double *x, int n, double *sums) {
  auto *copy = static_cast<double *>(std::malloc(n * sizeof(double)));
  double parts[2] = {0, 0};
  for (int i = 0; i < n; ++i) {
    copy[i] = x[i] * x[n - 1];
    parts[i % 2] += copy[i];
  }
  sums[0] += parts[0] + parts[1];
  std::free(copy);
}
NOINLINE double mix(double *x, int n, double factor) {
  double sum[1] = {0};
  add_last(x, n, sum);
  for (int i = 0; i < n; ++i)
    x[i] = factor * x[i] + x[(i + 1) % n];
  return sum[0];
}
double mix_forward(double *x, double *dx, int n, double factor, double dfactor) {
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent += dx[i] * x[n - 1] + x[i] * dx[n - 1];
  for (int i = 0; i < n; ++i) {
    dx[i] = dfactor * x[i] + factor * dx[i] + dx[(i + 1) % n];
    x[i] = factor * x[i] + x[(i + 1) % n];
  }
  return 10 * tangent;
}
void *__enzyme_register_derivative_mix[] = {(void *)mix, (void *)mix_forward};
void *__enzyme_register_splitderivative_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_forward};
}

namespace {
void squares(const double *x, double *y) {
  y[0] = square(x[0]);
  y[1] = square(x[1]) * x[0];
}
double scaled_product(double *x, double factor) {
  scale(x, 2, factor);
  return x[0] * x[1];
}
double mixed_product(double *x, double factor) {
  const double sum = mix(x, 2, factor);
  return x[0] * x[1] + sum * sum;
}
double twice_cube(double x) {
  return 2 * cube(x) + x;
}
} // namespace

PLUGIN_TEST(RuleLanes, APureRuleRunsOnceALane) {
  const double x[2] = {3, 4};
  double dx[2][2] = {}, y[2], dy[2][2] = {{1, 0}, {0, 1}};
  __enzyme_autodiff_arrays((void *)squares, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], enzyme_dup, y, dy[0], dy[1]);
  EXPECT_CLOSE(dx[0][0], 60);
  EXPECT_CLOSE(dx[0][1], 0);
  EXPECT_CLOSE(dx[1][0], 16);
  EXPECT_CLOSE(dx[1][1], 240);
  EXPECT_HOLDS(tapes_alive == 0);
}
PLUGIN_TEST(RuleLanes, ARuleThatOverwritesItsArgumentRunsForwardOnce) {
  double x[2] = {3, 4}, dx[2][2] = {};
  const Two factor = __enzyme_autodiff_lanes((void *)scaled_product, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 2.0);
  EXPECT_CLOSE(factor.first, 100 * (8 * 3 + 6 * 4));
  EXPECT_CLOSE(factor.second, factor.first);
  EXPECT_CLOSE(dx[0][0], 6 * 8);
  EXPECT_CLOSE(dx[1][0], 6 * 8);
  EXPECT_CLOSE(dx[1][1], 6 * 6);
  EXPECT_CLOSE(x[0], 6);
}
PLUGIN_TEST(RuleLanes, AForwardRuleThatChangesItsArgumentChangesItOnce) {
  const double start[2] = {3, 4}, factor = 2;
  double x[2] = {3, 4}, dx[3][2] = {{1, 0}, {0, 1}, {0, 0}};
  const Three tangents = __enzyme_fwddiff_three((void *)mixed_product, enzyme_width, 3, enzyme_dup, x, dx[0], dx[1],
                                                dx[2], enzyme_dup, factor, 0.0, 0.0, 1.0);
  const double sum = start[0] * start[1] + start[1] * start[1];
  const double first = factor * start[0] + start[1], second = factor * start[1] + first;
  EXPECT_CLOSE(x[0], first);
  EXPECT_CLOSE(x[1], second);
  const double d_first[3] = {factor, 1, start[0]}, d_second[3] = {factor, 1 + factor, start[1] + start[0]};
  const double d_sum[3] = {start[1], start[0] + 2 * start[1], 0};
  for (int i = 0; i < 3; ++i)
    EXPECT_CLOSE(tangents.values[i], d_first[i] * second + first * d_second[i] + 2 * sum * 10 * d_sum[i]);
}
PLUGIN_TEST(RuleLanes, AForwardRuleWhoseResultIsUsedSeesTheArgumentAsItWas) {
  double x[2] = {3, 4}, dx[2] = {1, 0};
  const double tangent = __enzyme_fwddiff((void *)mixed_product, enzyme_dup, x, dx, 2.0, 0.0);
  EXPECT_CLOSE(tangent, 2 * 18 + 10 * 2 + 2 * 28 * 10 * 4);
  EXPECT_CLOSE(x[1], 18);
}
PLUGIN_TEST(RuleLanes, TwoHalvesMakeAForwardRule) {
  EXPECT_CLOSE(__enzyme_fwddiff((void *)twice_cube, 3.0, 1.0), 2 * 900 + 1);
  EXPECT_HOLDS(tapes_alive == 0);
}

static double far_below_one(const double *x) {
  const double quotient = x[0] / x[1];
  return 1 / (quotient * quotient + 1);
}
/// The quotient's square overflows, so its adjoint is zero; the derivative of the quotient itself does as well.
PLUGIN_TEST(Lanes, QuotientsThatOverflowHaveTheAdjointsOfOneLane) {
  const double x[2] = {1, 1e-170};
  double one[2] = {0, 0}, two[2][2] = {{0, 0}, {0, 0}};
  __enzyme_autodiff_arrays((void *)far_below_one, enzyme_dup, x, one);
  __enzyme_autodiff_arrays((void *)far_below_one, enzyme_width, 2, enzyme_dup, x, two[0], two[1]);
  for (int i = 0; i < 2; ++i) {
    EXPECT_HOLDS(one[i] == 0);
    EXPECT_HOLDS(two[0][i] == 0 && two[1][i] == 0);
  }
}
