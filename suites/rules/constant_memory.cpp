// Registered rules where memory that they take a shadow of carries no derivative: numbers of its shadow count as zero,
// and nothing is written there. Every rule gives ten times the right derivative, so that its use shows.
#include "support/plugin_test.hpp"
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

extern "C" {
extern int enzyme_dup, enzyme_const, enzyme_width, enzyme_runtime_activity;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_arrays(void *, ...);

struct Taped {
  double *tape;
  double value;
};

// Two arrays that are read.
NOINLINE double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
Taped dot_augmented(const double *x, double *, const double *y, double *, int n) {
  auto *tape = static_cast<double *>(std::malloc(2 * n * sizeof(double)));
  for (int i = 0; i < n; ++i) {
    tape[i] = x[i];
    tape[n + i] = y[i];
  }
  return {tape, dot(x, y, n)};
}
NOINLINE void add_scaled(double *to, double factor, const double *from, int n) {
  for (int i = 0; i < n; ++i)
    to[i] += factor * from[i];
}
void dot_reverse(const double *, double *dx, const double *, double *dy, int n, double seed, double *tape) {
  add_scaled(dx, 10 * seed, tape + n, n);
  add_scaled(dy, 10 * seed, tape, n);
  std::free(tape);
}
void *__enzyme_register_gradient_dot[] = {(void *)dot, (void *)dot_augmented, (void *)dot_reverse};
double dot_forward(const double *x, const double *dx, const double *y, const double *dy, int n) {
  double tangent = 0;
  for (int i = 0; i < n; ++i)
    tangent += 10 * (dx[i] * y[i] + x[i] * dy[i]);
  return tangent;
}
void *__enzyme_register_derivative_dot[] = {(void *)dot, (void *)dot_forward};

// Indices, of which the rule reads those of the shadow, and an array that is written.
NOINLINE void gather(const double *x, const int *index, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[index[i]] * x[index[i]];
}
double *gather_augmented(const double *x, double *, const int *index, int *, double *y, double *, int n) {
  auto *tape = static_cast<double *>(std::malloc(n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    tape[i] = x[index[i]];
  gather(x, index, y, n);
  return tape;
}
void gather_reverse(const double *, double *dx, const int *, int *dindex, double *, double *dy, int n, double *tape) {
  for (int i = 0; i < n; ++i) {
    dx[dindex[i]] += 20 * tape[i] * dy[i];
    dy[i] = 0;
  }
  std::free(tape);
}
void *__enzyme_register_gradient_gather[] = {(void *)gather, (void *)gather_augmented, (void *)gather_reverse};

// A struct that leads to an array which may be constant: a rule that reads nothing behind the shadow's pointer, and one
// that asks whether it is the array itself.
struct Scaled {
  double factor;
  const double *array;
};
NOINLINE double first_scaled(const Scaled *scaled) {
  return scaled->factor * scaled->array[0];
}
double first_scaled_forward(const Scaled *scaled, const Scaled *tangent) {
  return 10 * tangent->factor * scaled->array[0];
}
void *__enzyme_register_derivative_first[] = {(void *)first_scaled, (void *)first_scaled_forward};
NOINLINE double second_scaled(const Scaled *scaled) {
  return scaled->factor * scaled->array[1];
}
double second_scaled_forward(const Scaled *scaled, const Scaled *tangent) {
  const double moved = tangent->array == scaled->array ? 0 : tangent->array[1];
  return 10 * (tangent->factor * scaled->array[1] + scaled->factor * moved);
}
void *__enzyme_register_derivative_second[] = {(void *)second_scaled, (void *)second_scaled_forward};
}

namespace {
double twice_dot(const double *x, const double *y, int n) {
  return 2 * dot(x, y, n);
}
double scaled_first(const double *x, double factor) {
  const Scaled scaled{factor, x};
  return first_scaled(&scaled);
}
double scaled_second(const double *x, double factor) {
  const Scaled scaled{factor, x};
  return second_scaled(&scaled);
}
void squares_at(const double *x, const int *index, double *y, int n) {
  gather(x, index, y, n);
}
} // namespace

PLUGIN_TEST(RuleOfConstantMemory, ReverseLeavesItAlone) {
  double x[2] = {3, 4}, y[2] = {5, 6}, dx[2] = {1, 0}, dy[2] = {0, 0};
  __enzyme_autodiff((void *)twice_dot, enzyme_dup, x, dx, enzyme_const, y, 2);
  EXPECT_CLOSE(dx[0], 1 + 20 * 5);
  EXPECT_CLOSE(dx[1], 20 * 6);
  __enzyme_autodiff((void *)twice_dot, enzyme_const, x, enzyme_dup, y, dy, 2);
  EXPECT_CLOSE(dy[0], 20 * 3);
  EXPECT_CLOSE(dy[1], 20 * 4);
  EXPECT_HOLDS(x[0] == 3 && x[1] == 4 && y[0] == 5 && y[1] == 6);
}
PLUGIN_TEST(RuleOfConstantMemory, SoItDoesWithRuntimeActivityAndLanes) {
  double x[2] = {3, 4}, y[2] = {5, 6}, dx[2][2] = {};
  __enzyme_autodiff_arrays((void *)twice_dot, enzyme_width, 2, enzyme_runtime_activity, enzyme_dup, x, dx[0], dx[1],
                           enzyme_const, y, 2);
  for (int lane = 0; lane < 2; ++lane) {
    EXPECT_CLOSE(dx[lane][0], 20 * 5);
    EXPECT_CLOSE(dx[lane][1], 20 * 6);
  }
  EXPECT_HOLDS(y[0] == 5 && y[1] == 6);
}
PLUGIN_TEST(RuleOfConstantMemory, ForwardTakesItsTangentsForZero) {
  double x[2] = {3, 4}, y[2] = {5, 6}, d[2] = {1, 2};
  EXPECT_CLOSE(__enzyme_fwddiff((void *)twice_dot, enzyme_dup, x, d, enzyme_const, y, 2), 20 * (5 + 2 * 6));
  EXPECT_CLOSE(__enzyme_fwddiff((void *)twice_dot, enzyme_const, x, enzyme_dup, y, d, 2), 20 * (3 + 2 * 4));
}
PLUGIN_TEST(RuleOfConstantMemory, IndicesAreTheirOwnShadow) {
  const double x[3] = {3, 4, 5};
  const int index[4] = {2, 0, 2, 1};
  double dx[3] = {}, y[4], dy[4] = {1, 1, 1, 1};
  __enzyme_autodiff_arrays((void *)squares_at, enzyme_dup, x, dx, enzyme_const, index, enzyme_dup, y, dy, 4);
  EXPECT_CLOSE(dx[0], 20 * 3);
  EXPECT_CLOSE(dx[1], 20 * 4);
  EXPECT_CLOSE(dx[2], 2 * 20 * 5);
  double again[4] = {1, 1, 1, 1};
  __enzyme_autodiff_arrays((void *)squares_at, enzyme_const, x, enzyme_const, index, enzyme_dup, y, again, 4);
  EXPECT_HOLDS(again[0] == 0 && again[3] == 0);
}
PLUGIN_TEST(RuleOfConstantMemory, BehindAPointerItIsNotRead) {
  double x[2] = {3, 4};
  EXPECT_CLOSE(__enzyme_fwddiff((void *)scaled_first, enzyme_const, x, enzyme_dup, 2.0, 1.0), 10 * 3);
}
PLUGIN_TEST(RuleOfConstantMemory, BehindAPointerTheRuleAsksForIt) {
  double x[2] = {3, 4}, d[2] = {0, 1};
  EXPECT_CLOSE(__enzyme_fwddiff((void *)scaled_second, enzyme_runtime_activity, enzyme_const, x, enzyme_dup, 2.0, 1.0),
               10 * 4);
  EXPECT_CLOSE(__enzyme_fwddiff((void *)scaled_second, enzyme_dup, x, d, enzyme_dup, 2.0, 1.0), 10 * (4 + 2));
}
