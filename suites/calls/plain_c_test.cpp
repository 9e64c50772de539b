// What plain_c.c computes, against closed forms.
#include "support/plugin_test.hpp"
#include <cmath>

extern "C" {
void c_rosenbrock_gradient(const double *x, double *dx, int n);
double c_rosenbrock_tangent(const double *x, const double *dx, int n);
double c_single_gradient(float x, float y);
double c_single_tangent(float x, float y);
double c_variable_length(double x, int n);
void c_nested_gradient(const double *x, double *dx, int n);
double c_complex_tangent(double re, double im, double dre, double dim);
void c_reduce_gradient(const double *x, double *dx, int n, bool squared, bool product);
double c_function_pointers(double x);
double c_function_pointers_tangent(double x);
void c_outputs_vjp(const double *in, double *din, double *out, double *dout, std::size_t n);
}

PLUGIN_TEST(PlainC, RosenbrockHasItsGradient) {
  const double x[3] = {1.2, 0.7, -0.4};
  double dx[3] = {1, 1, 1};
  c_rosenbrock_gradient(x, dx, 3);
  const double expected[3] = {-400 * x[0] * (x[1] - x[0] * x[0]) - 2 * (1 - x[0]),
                              200 * (x[1] - x[0] * x[0]) - 400 * x[1] * (x[2] - x[1] * x[1]) - 2 * (1 - x[1]),
                              200 * (x[2] - x[1] * x[1])};
  double tangent = 0;
  const double v[3] = {0.5, -1, 2};
  for (int i = 0; i < 3; ++i) {
    EXPECT_CLOSE(dx[i] - 1, expected[i]);
    tangent += expected[i] * v[i];
  }
  EXPECT_CLOSE(c_rosenbrock_tangent(x, v, 3), tangent);
}
PLUGIN_TEST(PlainC, FloatsComeThroughTheEllipsis) {
  EXPECT_CLOSE_FLOAT(c_single_gradient(0.5f, 3.0f), 3 * std::cos(0.5));
  EXPECT_CLOSE_FLOAT(c_single_tangent(0.5f, 3.0f), 3 * std::cos(0.5) + 2 * std::sin(0.5));
}
PLUGIN_TEST(PlainC, ArraysMayHaveAVariableLength) {
  EXPECT_CLOSE(c_variable_length(0.7, 4), 1 + 2 * 0.7 * (2 + 6 + 12)); // x + 2 x^2 + 6 x^2 + 12 x^2
}
PLUGIN_TEST(PlainC, ArraysOfVariableLengthMayNest) { // x0 * (x0^2 + x1^2 + x2^2)
  const double x[3] = {2, 3, 5};
  double dx[3] = {0, 0, 0};
  c_nested_gradient(x, dx, 3);
  EXPECT_CLOSE(dx[0], 38 + 2 * 4);
  EXPECT_CLOSE(dx[1], 2 * 2 * 3);
  EXPECT_CLOSE(dx[2], 2 * 2 * 5);
}
PLUGIN_TEST(PlainC, ComplexNumbersAreFollowed) { // (z^4)' = 4 z^3 at z = 1 + 2i: z^3 = -11 - 2i
  EXPECT_CLOSE(c_complex_tangent(1, 2, 1, 0), -44 + 2 * -8);
  EXPECT_CLOSE(c_complex_tangent(1, 2, 0, 1), 8 + 2 * -44);
}
PLUGIN_TEST(PlainC, BitFieldsEnumerationsAndFlexibleArraysAreFollowed) {
  const double x[3] = {2, 3, 5};
  double dx[3];
  c_reduce_gradient(x, dx, 3, false, true);
  EXPECT_CLOSE(dx[0], 15);
  EXPECT_CLOSE(dx[2], 6);
  c_reduce_gradient(x, dx, 3, true, false);
  EXPECT_CLOSE(dx[1], 6);
}
PLUGIN_TEST(PlainC, FunctionPointersAreFollowed) {
  const double x = 0.8, expected = std::cos(0.5 * x * x) * x + 0.5 * (std::exp(x) * x + std::exp(x));
  EXPECT_CLOSE(c_function_pointers(x), expected);
  EXPECT_CLOSE(c_function_pointers_tangent(x), expected);
}
PLUGIN_TEST(PlainC, OutputsWithoutNeedTakeTheirShadow) {
  const double in[3] = {2, 3, 5};
  double din[3] = {0, 0, 0}, out[3], dout[3] = {1, 10, 100};
  c_outputs_vjp(in, din, out, dout, 3);
  EXPECT_CLOSE(din[0], 101 * 5);
  EXPECT_CLOSE(din[1], 10 * 6);
  EXPECT_CLOSE(din[2], 101 * 2);
}
