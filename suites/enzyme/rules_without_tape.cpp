// Registered gradients whose augmented pass returns nothing.
#include "support/plugin_test.hpp"
#include <cmath>
#include <stdexcept>

extern "C" {
extern int enzyme_dup, enzyme_width, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_lanes(void *, ...);
}

namespace {

int forward_passes = 0, calls = 0;

__attribute__((noinline)) double cube(double x) {
  ++calls;
  return x * x * x;
}
void augmented_cube(double) {
  ++forward_passes;
}
double reverse_cube(double x, double seed) {
  return 30 * x * x * seed;
}
__attribute__((used)) void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube,
                                                                 (void *)reverse_cube};

double twice(double x) {
  return 2 * cube(x);
}
double through_result(double x) {
  const double y = cube(x);
  return y * y;
}
double unused_result(double x) {
  cube(x);
  return x * x;
}

__attribute__((noinline)) double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return std::sqrt(sum);
}
void augmented_norm(const double *, double *, int) {}
void reverse_norm(const double *x, double *dx, int n, double seed) {
  const double length = norm(x, n);
  for (int i = 0; i < n; ++i)
    dx[i] += 10 * seed * x[i] / length;
}
__attribute__((used)) void *__enzyme_register_gradient_norm[] = {(void *)norm, (void *)augmented_norm,
                                                                 (void *)reverse_norm};
double norm_or_sum(const double *x, int n) {
  try {
    if (n > 2)
      throw std::length_error("long");
    const double length = norm(x, n);
    return length * length;
  } catch (const std::length_error &) {
    return x[0] + x[1] + x[2];
  }
}
using Norm = double (*)(const double *, int);
double square_of(Norm function, const double *x, int n) {
  const double length = function(x, n);
  return length * length;
}
double squared_norm(const double *x, int n) {
  const double length = norm(x, n);
  return length * length;
}

struct Polar {
  double radius, angle;
};
__attribute__((noinline)) Polar polar(double x, double y) {
  return {std::hypot(x, y), std::atan2(y, x)};
}
struct Gradient {
  double x, y;
};
void augmented_polar(double, double) {}
Gradient reverse_polar(double x, double y, Polar seed) {
  const double r = std::hypot(x, y);
  return {(seed.radius * x - seed.angle * y / r) / r, (seed.radius * y + seed.angle * x / r) / r};
}
__attribute__((used)) void *__enzyme_register_gradient_polar[] = {(void *)polar, (void *)augmented_polar,
                                                                  (void *)reverse_polar};
double spiral(double x) {
  const Polar p = polar(x, 2 * x);
  return p.radius * p.radius + p.angle;
}

} // namespace

PLUGIN_TEST(RulesWithoutTape, TheFunctionGivesTheResult) {
  forward_passes = calls = 0;
  EXPECT_CLOSE(__enzyme_autodiff((void *)through_result, 2.0), 2 * 8 * 120);
  EXPECT_HOLDS(forward_passes == 1);
  EXPECT_HOLDS(calls == 1);
  EXPECT_CLOSE(__enzyme_autodiff((void *)twice, 2.0), 2 * 120);
}
PLUGIN_TEST(RulesWithoutTape, WhereNothingReadsTheResultTheFunctionIsNotCalled) {
  forward_passes = calls = 0;
  EXPECT_CLOSE(__enzyme_autodiff((void *)unused_result, 2.0), 4);
  EXPECT_HOLDS(calls <= 1);
}
PLUGIN_TEST(RulesWithoutTape, OfArraysAndAtAWidth) {
  const double x[2] = {3, 4};
  double dx[3][2] = {};
  __enzyme_autodiff((void *)squared_norm, enzyme_dup, x, dx[2], 2);
  EXPECT_CLOSE(dx[2][0], 10 * 2 * 3);
  __enzyme_autodiff_lanes((void *)squared_norm, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], enzyme_const, 2);
  EXPECT_CLOSE(dx[0][1], 10 * 2 * 4);
  EXPECT_CLOSE(dx[1][0], 10 * 2 * 3);
}
PLUGIN_TEST(RulesWithoutTape, BesideExceptionsAndThroughPointers) {
  const double x[3] = {3, 4, 5};
  double dx[3] = {};
  __enzyme_autodiff((void *)norm_or_sum, enzyme_dup, x, dx, 2);
  EXPECT_CLOSE(dx[0], 60);
  __enzyme_autodiff((void *)norm_or_sum, enzyme_dup, x, dx, 3);
  EXPECT_CLOSE(dx[0], 61);
  __enzyme_autodiff((void *)square_of, enzyme_const, norm, enzyme_dup, x, dx, 3);
  EXPECT_CLOSE(dx[2], 1 + 100);
}
PLUGIN_TEST(RulesWithoutTape, OfStructs) {
  EXPECT_CLOSE(__enzyme_autodiff((void *)spiral, 1.5), 10 * 1.5);
}
