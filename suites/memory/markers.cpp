// The markers of the convention, accumulation into shadows, and what reverse mode leaves in the shadow of overwritten
// memory.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <cmath>

namespace {

double product(double x, double y) {
  return x * x * y;
}

void outputs(const double *x, double *sum, double *squares) {
  *sum = x[0] + x[1];
  squares[0] = x[0] * x[0];
  squares[1] = x[1] * *sum;
}

double overwrites(double *x) {
  const double r = x[0] * x[1];
  x[0] = 5;
  return r;
}

double same_array_twice(const double *a, const double *b, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += a[i] * b[n - 1 - i];
  return r;
}

void update(double *state, const double *input) {
  state[0] = state[0] * input[0];
  state[0] = std::sin(state[0]) + input[1];
}

float single(float x, float y) {
  return x * std::sqrt(y);
}

double many(double a, int k, float b, double *c) {
  return a * k * b * *c;
}

void polynomial(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += x[i] * x[i] * x[i];
}

} // namespace

struct PairOfDoubles {
  double first, second;
};
struct DoubleAndFloat {
  double first;
  float second;
};

PLUGIN_TEST(Markers, ScalarsAreOutByDefaultInReverse) {
  const auto g = __enzyme_autodiff<PairOfDoubles>((void *)product, 3.0, 5.0);
  EXPECT_CLOSE(g.first, 30);
  EXPECT_CLOSE(g.second, 9);
}
PLUGIN_TEST(Markers, AScalarMayBeConstant) {
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)product, enzyme_const, 3.0, enzyme_out, 5.0), 9);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)product, enzyme_out, 3.0, enzyme_const, 5.0), 30);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)product, enzyme_const, 3.0, enzyme_dup, 5.0, 2.0), 18);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)product, enzyme_dup, 3.0, 2.0, enzyme_const, 5.0), 60);
}
PLUGIN_TEST(Markers, ForwardScalarsAreFollowedByTheirTangents) {
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)product, 3.0, 1.0, 5.0, 10.0), 30 + 90);
}
PLUGIN_TEST(Markers, SeveralOutputsAreSeededTogether) {
  double x[2] = {2, 3}, dx[2] = {0.5, 0.25}, sum = 0, dsum = 1, squares[2] = {}, dsquares[2] = {10, 100};
  __enzyme_autodiff<void>((void *)outputs, enzyme_dup, x, dx, enzyme_dup, &sum, &dsum, enzyme_dup, squares, dsquares);
  EXPECT_SAME(sum, 5);
  EXPECT_SAME(squares[0], 4);
  EXPECT_SAME(squares[1], 15);
  EXPECT_CLOSE(dx[0], 0.5 + 1 + 10 * 4 + 100 * 3);
  EXPECT_CLOSE(dx[1], 0.25 + 1 + 100 * (5 + 3));
  EXPECT_SAME(dsum, 0.0); // what the primal overwrites has no derivative before it
  EXPECT_SAME(dsquares[0], 0.0);
  EXPECT_SAME(dsquares[1], 0.0);
}
PLUGIN_TEST(Markers, ForwardFillsTheShadowsOfOutputs) {
  double x[2] = {2, 3}, dx[2] = {1, -1}, sum = 0, dsum = 7, squares[2] = {}, dsquares[2] = {7, 7};
  __enzyme_fwddiff<void>((void *)outputs, enzyme_dup, x, dx, enzyme_dup, &sum, &dsum, enzyme_dupnoneed, squares,
                         dsquares);
  EXPECT_SAME(sum, 5);
  EXPECT_CLOSE(dsum, 0);
  EXPECT_CLOSE(dsquares[0], 4);
  EXPECT_CLOSE(dsquares[1], -5);
}
PLUGIN_TEST(Markers, AConstantOutputTakesNoPart) {
  double x[2] = {2, 3}, dx[2] = {0, 0}, sum = 0, dsum = 1, squares[2] = {};
  __enzyme_autodiff<void>((void *)outputs, enzyme_dup, x, dx, enzyme_dup, &sum, &dsum, enzyme_const, squares);
  EXPECT_SAME(sum, 5);
  EXPECT_SAME(squares[1], 15);
  EXPECT_CLOSE(dx[0], 1);
  EXPECT_CLOSE(dx[1], 1);
}
PLUGIN_TEST(Markers, TheShadowOfOverwrittenMemoryBecomesTheDerivativeBefore) {
  double x[2] = {2, 3}, dx[2] = {1000, 0.5};
  __enzyme_autodiff<void>((void *)overwrites, enzyme_dup, x, dx);
  EXPECT_SAME(x[0], 5);
  EXPECT_CLOSE(dx[0], 3); // the 1000 belonged to what was overwritten
  EXPECT_CLOSE(dx[1], 2.5);
}
PLUGIN_TEST(Markers, OneArrayMayBePassedTwiceWithOneShadow) {
  double x[3] = {1, 2, 4}, dx[3] = {0, 0, 0};
  __enzyme_autodiff<void>((void *)same_array_twice, enzyme_dup, x, dx, enzyme_dup, x, dx, enzyme_const, 3);
  EXPECT_CLOSE(dx[0], 8);
  EXPECT_CLOSE(dx[1], 4);
  EXPECT_CLOSE(dx[2], 2);
  double t[3] = {1, 0, 0};
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)same_array_twice, enzyme_dup, x, t, enzyme_dup, x, t, enzyme_const, 3),
               8);
}
PLUGIN_TEST(Markers, AnArgumentMayBeInputAndOutput) {
  double state = 0.7, dstate = 2, input[2] = {1.5, 0.2}, dinput[2] = {0, 0};
  __enzyme_autodiff<void>((void *)update, enzyme_dup, &state, &dstate, enzyme_dup, input, dinput);
  EXPECT_SAME(state, std::sin(0.7 * 1.5) + 0.2);
  EXPECT_CLOSE(dstate, 2 * std::cos(1.05) * 1.5);
  EXPECT_CLOSE(dinput[0], 2 * std::cos(1.05) * 0.7);
  EXPECT_CLOSE(dinput[1], 2);
}
PLUGIN_TEST(Markers, AConstantArrayIsReadOnlyAsAPrimal) {
  double state = 0.7, dstate = 2, input[2] = {1.5, 0.2};
  __enzyme_autodiff<void>((void *)update, enzyme_dup, &state, &dstate, enzyme_const, input);
  EXPECT_CLOSE(dstate, 2 * std::cos(1.05) * 1.5);
  EXPECT_SAME(input[0], 1.5);
  EXPECT_SAME(input[1], 0.2);
}
PLUGIN_TEST(Markers, SinglePrecisionGradientsAreInSinglePrecision) {
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)single, enzyme_out, 3.0f, enzyme_const, 4.0f), 2);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>((void *)single, enzyme_const, 3.0f, enzyme_out, 4.0f), 0.75);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>((void *)single, enzyme_dup, 3.0f, 1.0f, enzyme_dup, 4.0f, 2.0f), 3.5);
}
PLUGIN_TEST(Markers, ArgumentsOfEveryKindStandInOrder) {
  double c = 7, dc = 1;
  const auto g = __enzyme_autodiff<DoubleAndFloat>((void *)many, 2.0, 3, 5.0f, &c, &dc);
  EXPECT_CLOSE(g.first, 3 * 5 * 7);
  EXPECT_CLOSE(g.second, 2 * 3 * 7);
  EXPECT_CLOSE(dc, 1 + 2 * 3 * 5);
}
PLUGIN_TEST(Markers, OutputsThatAreAddedToKeepTheirShadow) {
  double x[2] = {2, 3}, dx[2] = {1, 1}, y[2] = {10, 20}, dy[2] = {1, 2};
  __enzyme_autodiff<void>((void *)polynomial, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 2);
  EXPECT_SAME(y[0], 18);
  EXPECT_SAME(y[1], 47);
  EXPECT_CLOSE(dx[0], 1 + 12);
  EXPECT_CLOSE(dx[1], 1 + 2 * 27);
  EXPECT_SAME(dy[0], 1);
  EXPECT_SAME(dy[1], 2);
}
PLUGIN_TEST(Markers, SeveralDirectionsAtOnceAreSeveralTangents) {
  double x[2] = {2, 3}, d1[2] = {1, 0}, d2[2] = {0, 1}, y[2] = {0, 0}, y1[2] = {0, 0}, y2[2] = {0, 0};
  __enzyme_fwddiff<void>((void *)polynomial, enzyme_width, 2, enzyme_dup, x, d1, d2, enzyme_dup, y, y1, y2,
                         enzyme_const, 2);
  EXPECT_CLOSE(y1[0], 12);
  EXPECT_CLOSE(y1[1], 0);
  EXPECT_CLOSE(y2[0], 0);
  EXPECT_CLOSE(y2[1], 27);
  const auto both = __enzyme_fwddiff<PairOfDoubles>((void *)product, enzyme_width, 2, enzyme_dup, 3.0, 1.0, 0.0,
                                                    enzyme_dup, 5.0, 0.0, 1.0);
  EXPECT_CLOSE(both.first, 30);
  EXPECT_CLOSE(both.second, 9);
}
