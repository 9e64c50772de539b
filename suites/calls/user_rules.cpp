// Derivatives that the program registers, deliberately not the true ones, so that it shows which was used.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

struct Doubles {
  double first, second;
};
struct Floats {
  float first, second;
};
struct TapeAndDouble {
  void *tape;
  double primal;
};

extern "C" {
NOINLINE double square(double x) {
  return x * x;
}
double square_forward(double, double dx) {
  return 100 * dx;
}
TapeAndDouble square_augmented(double x) {
  double *tape = static_cast<double *>(std::malloc(sizeof(double)));
  *tape = x;
  return {tape, x * x};
}
double square_reverse(double, double seed, void *tape) {
  const double x = *static_cast<double *>(tape);
  std::free(tape);
  return 1000 * x * seed;
}
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented, (void *)square_reverse};

NOINLINE double product(double x, double y) {
  return x * y;
}
Doubles product_forward(double x, double dx, double y, double dy) {
  return {x * y, 7 * dx + 11 * dy};
}
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)product_forward};

NOINLINE float successor(float x) {
  return x + 1;
}
Floats successor_forward(float x, float dx) {
  return {x + 1, 5 * dx};
}
void *__enzyme_register_derivative_successor[] = {(void *)successor, (void *)successor_forward};

NOINLINE void copy(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
}
void copy_forward(const double *x, const double *dx, double *y, double *dy, int n) {
  copy(x, y, n);
  for (int i = 0; i < n; ++i)
    dy[i] = 3 * dx[i];
}
void *copy_augmented(const double *x, double *, double *y, double *, int n) {
  copy(x, y, n);
  return nullptr;
}
void copy_reverse(const double *, double *dx, double *, double *dy, int n, void *) {
  for (int i = 0; i < n; ++i) {
    dx[i] += 3 * dy[i];
    dy[i] = 0;
  }
}
void *__enzyme_register_derivative_copy[] = {(void *)copy, (void *)copy_forward};
void *__enzyme_register_gradient_copy[] = {(void *)copy, (void *)copy_augmented, (void *)copy_reverse};

NOINLINE double halve(double x) {
  return 0.5 * x;
}
TapeAndDouble halve_augmented(double x) {
  return {nullptr, 0.5 * x};
}
double halve_reverse(double, double seed, void *) {
  return 9 * seed;
}
void *__enzyme_register_gradient_halve[] = {(void *)halve, (void *)halve_augmented, (void *)halve_reverse};

NOINLINE double inactive(double x) {
  return 3 * x;
}
void *__enzyme_inactivefn_inactive[] = {(void *)inactive};

NOINLINE double logarithm(double x) {
  return 0 * x;
}
void *__enzyme_function_like_logarithm[] = {(void *)logarithm, (void *)"log1p"};
}

namespace {

double uses_square(double x) {
  return std::sin(square(x)) * x;
}
double uses_product(double x, double y) {
  return product(x, y) * x;
}
float uses_successor(float x) {
  return successor(x) * x;
}
double uses_copy(const double *x) {
  double y[2];
  copy(x, y, 2);
  return y[0] * y[1];
}
double copies_a_constant(const double *x, double factor) {
  double y[2] = {factor, factor};
  copy(x, y, 2);
  return y[0] * y[1] * factor;
}
double uses_halve(double x) {
  return halve(x) * x;
}
double uses_inactive(double x) {
  return inactive(x) * x;
}
double uses_logarithm(double x) {
  return logarithm(x) + x;
}

} // namespace

PLUGIN_TEST(UserRules, ATangentAloneLeavesThePrimalToTheFunction) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_square, 2.0, 1.0), std::cos(4.0) * 100 * 2 + std::sin(4.0));
}
PLUGIN_TEST(UserRules, PrimalAndTangentComeAsAStructure) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_product, 2.0, 1.0, 3.0, 10.0), 6 + 2 * (7 + 110));
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_product, 2.0, 1.0, enzyme_const, 3.0), 6 + 2 * 7);
}
PLUGIN_TEST(UserRules, PackedStructuresOfFloatsAreTakenApart) {
  EXPECT_CLOSE(__enzyme_fwddiff<float>((void *)uses_successor, 2.0f, 1.0f), 3 + 2 * 5);
}
PLUGIN_TEST(UserRules, MemoryIsPassedWithItsShadow) {
  double x[2] = {2, 3}, dx[2] = {1, 0};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_copy, x, dx), 9);
  __enzyme_autodiff<void>((void *)uses_copy, x, dx);
  EXPECT_CLOSE(dx[0], 1 + 9);
  EXPECT_CLOSE(dx[1], 6);
}
PLUGIN_TEST(UserRules, AFunctionWithABodyStandsInWhereARuleWouldWantAShadowOfAConstant) {
  double x[2] = {2, 3};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)copies_a_constant, enzyme_const, x, 1.0, 1.0), 6);
}
PLUGIN_TEST(UserRules, AGradientIsTakenFromTheTape) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)uses_square, 2.0), std::cos(4.0) * 2 * 2000 + std::sin(4.0));
}
PLUGIN_TEST(UserRules, WithoutARuleForTheModeTheBodyIsDifferentiated) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_halve, 2.0, 1.0), 2);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)uses_halve, 2.0), 1 + 2 * 9);
  const auto gradient = __enzyme_autodiff<Doubles>((void *)uses_product, 2.0, 3.0);
  EXPECT_CLOSE(gradient.first, 12);
  EXPECT_CLOSE(gradient.second, 4);
}
PLUGIN_TEST(UserRules, AWideRequestCallsTheRuleForEachLane) {
  const auto lanes = __enzyme_fwddiff<Doubles>((void *)uses_product, enzyme_width, 2, 2.0, 1.0, 0.0, 3.0, 0.0, 1.0);
  EXPECT_CLOSE(lanes.first, 6 + 14);
  EXPECT_CLOSE(lanes.second, 22);
}
PLUGIN_TEST(UserRules, AnInactiveFunctionRunsWithoutDerivative) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_inactive, 2.0, 1.0), 6);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)uses_inactive, 2.0), 6);
}
PLUGIN_TEST(UserRules, AFunctionMayBehaveLikeALibraryFunction) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)uses_logarithm, 2.0, 1.0), 1 + 1.0 / 3);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)uses_logarithm, 2.0), 1 + 1.0 / 3);
}
