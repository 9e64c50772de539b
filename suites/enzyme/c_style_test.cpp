// What c_style.c computes, against closed forms.
#include "support/plugin_test.hpp"
#include <cmath>

struct TwoNumbers {
  double a, b;
};

extern "C" {
TwoNumbers c_gradients(double x, double y);
double c_struct_return(double x, double dx);
double c_vector_forward(const double *x);
void c_split(double *x, double *dx, int n, double *twice);
double c_function_pointers_in_structs(double x, double *dscale);
double c_network(double x, const double *scale);
double c_registered_gradient(double x, int *calls);
double c_allocator(double x, int *taken, int *given);
TwoNumbers c_complex(double re, double im);
void c_median(const double *x, double *dx, int n);
void c_matrix_vector(const double *a, double *da, const double *x, double *dx, double *y, double *dy, int n);
double c_forward_rule(double x);
double c_like_library(double x);
double c_second(double x);
double c_second_reverse(double x);
double c_list(double x, int n);
double c_grows(double x, int n);
void c_constant_return(const double *x, double *dx, double *y, double *dy);
}

PLUGIN_TEST(EnzymeCPrograms, TypedDeclarationsWithoutMarkers) {
  const TwoNumbers g = c_gradients(3, 4);
  EXPECT_CLOSE(g.a, 0.6);
  EXPECT_CLOSE(g.b, 0.8);
}
PLUGIN_TEST(EnzymeCPrograms, StructsThatAreReturnedThroughMemory) {
  EXPECT_CLOSE(c_struct_return(2, 0.5), 6 + 400 + 30000);
}
PLUGIN_TEST(EnzymeCPrograms, VectorForwardMode) {
  const double x[4] = {1, 2, 3, 4};
  EXPECT_CLOSE(c_vector_forward(x), 2 + 80 + 1800 + 32000 + 0.002 * 10);
}
PLUGIN_TEST(EnzymeCPrograms, SplitModeWithATapeOfTheCallers) {
  double x[3] = {0.1, 0.2, 0.3}, dx[3] = {1, 2, 3}, twice[3];
  const double at[3] = {0.1, 0.2, 0.3};
  c_split(x, dx, 3, twice);
  for (int i = 0; i < 3; ++i) {
    EXPECT_CLOSE(x[i], at[i] * std::exp(at[i]));
    EXPECT_CLOSE(dx[i], (i + 1) * (1 + at[i]) * std::exp(at[i]));
    EXPECT_CLOSE(twice[i], dx[i]);
  }
}
PLUGIN_TEST(EnzymeCPrograms, FunctionPointersInStructs) {
  const double scale[3] = {0.5, -2, 3}, h = 1e-6;
  double dscale[3];
  const double dx = c_function_pointers_in_structs(0.7, dscale);
  EXPECT_HOLDS(std::abs(dx - (c_network(0.7 + h, scale) - c_network(0.7 - h, scale)) / (2 * h)) < 1e-8);
  for (int i = 0; i < 3; ++i) {
    double up[3] = {0.5, -2, 3}, down[3] = {0.5, -2, 3};
    up[i] += h;
    down[i] -= h;
    EXPECT_HOLDS(std::abs(dscale[i] - (c_network(0.7, up) - c_network(0.7, down)) / (2 * h)) < 1e-8);
  }
}
PLUGIN_TEST(EnzymeCPrograms, ARegisteredGradientOfMemory) {
  int calls = 0;
  EXPECT_CLOSE(c_registered_gradient(3, &calls), 1e6 * 4 * 27);
  EXPECT_HOLDS(calls == 22);
}
PLUGIN_TEST(EnzymeCPrograms, AnAllocatorOfOnesOwn) {
  int taken = 0, given = 0;
  EXPECT_CLOSE(c_allocator(2, &taken, &given), 4 * 8);
  EXPECT_HOLDS(taken == given);
}
PLUGIN_TEST(EnzymeCPrograms, ComplexNumbersSortsAndMatrices) {
  const TwoNumbers z = c_complex(2, 3); // (re^2 + im^2) re
  EXPECT_CLOSE(z.a, 3 * 4 + 9);
  EXPECT_CLOSE(z.b, 2 * 3 * 2);
  const double x[5] = {3, 1, 5, 2, 4};
  double dx[5] = {};
  c_median(x, dx, 5);
  EXPECT_CLOSE(dx[0], 6);
  EXPECT_CLOSE(dx[1], 0);
  const double a[4] = {1, 2, 3, 4}, v[2] = {5, 7};
  double da[4] = {}, dv[2] = {}, y[2], dy[2] = {1, 10};
  c_matrix_vector(a, da, v, dv, y, dy, 2);
  EXPECT_CLOSE(da[2], 50);
  EXPECT_CLOSE(dv[1], 2 + 40);
}
PLUGIN_TEST(EnzymeCPrograms, ForwardRulesAndFunctionsLikeOthers) {
  EXPECT_CLOSE(c_forward_rule(2), 240);
  EXPECT_CLOSE(c_like_library(3), 0.25);
}
PLUGIN_TEST(EnzymeCPrograms, SecondDerivatives) {
  const double x = 0.8, expected = -std::sin(x) * x * x + 4 * x * std::cos(x) + 2 * std::sin(x);
  EXPECT_CLOSE(c_second(x), expected);
  EXPECT_CLOSE(c_second_reverse(x), expected);
}
PLUGIN_TEST(EnzymeCPrograms, ListsAndReallocation) {
  EXPECT_CLOSE(c_list(2, 3), 3 * 4 + 2 * 4 + 2 * 3);
  EXPECT_CLOSE(c_grows(2, 4), 1 + 4 + 12 + 32);
}
PLUGIN_TEST(EnzymeCPrograms, AResultThatIsConstant) {
  double x = 3, dx = 0, y = 1, dy = 2;
  c_constant_return(&x, &dx, &y, &dy);
  EXPECT_CLOSE(dx, 12);
  EXPECT_CLOSE(dy, 2);
  EXPECT_CLOSE(y, 10);
}
