// Operators, conversions, vector built-ins, and the conventions at kinks and poles, as a program meets them.
#include "scalar/scalar_case.hpp"
#include "support/plugin_test.hpp"
#include <cmath>
#include <limits>

using assay::suites::Pair;
extern "C" {
extern int enzyme_strong_zero;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double quotient(double x, double y) {
  return (x + y) * (x - y) / (x * y) - -x;
}
double through_float(double x) {
  return double(float(x) * float(x));
}
float through_double(float x) {
  return float(std::exp(double(x)));
}
double absolute(double x) {
  return std::fabs(x);
}
double root(double x) {
  return std::sqrt(x);
}
double cube_root(double x) {
  return std::cbrt(x);
}
double arc(double x) {
  return std::asin(x);
}
double no_root(double x, double factor) {
  return std::sqrt(x) * factor;
}
double linear_beside_power(const double *x) {
  return (x[0] - 1) * std::pow(x[1], 1.5) + x[0] * x[1];
}
void strong_gradient(const double *x, double *gradient) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(linear_beside_power), enzyme_strong_zero, enzyme_dup, x, gradient);
}
double root_of_square(double x) {
  return std::sqrt(x * x);
}
double larger(double x, double y) {
  return std::fmax(x, y);
}
double smaller(double x, double y) {
  return std::fmin(x, y);
}
double power(double x, double y) {
  return std::pow(x, y);
}
double distance(double x, double y) {
  return std::hypot(x, y);
}
float float_distance(float x, float y) {
  return std::hypot(x, y);
}
double with_sign(double x, double y) {
  return std::copysign(x, y);
}
double cube(double x) {
  return std::pow(x, 3);
}
double fourth_power(double x) {
  return __builtin_powi(x, 4);
}
double rounding(double x) {
  return x * double(std::lround(x)) + std::floor(x);
}
double mantissa(double x) {
  int exponent;
  return std::frexp(x, &exponent);
}

typedef double Vector __attribute__((ext_vector_type(4)));
double of_vector(double x) {
  const Vector v = {x, 2 * x, 3 * x, 4 * x};
  const Vector w = __builtin_elementwise_exp(-v) * __builtin_elementwise_sin(v);
  return w[0] + w[1] + w[2] + w[3];
}

template <class F>
void *pointer_to(F *f) {
  return reinterpret_cast<void *>(f);
}

} // namespace

PLUGIN_TEST(Operators, FormQuotientsAndProducts) {
  const auto reverse = __enzyme_autodiff<Pair<double>>(pointer_to(quotient), 3.0, 2.0);
  EXPECT_CLOSE(reverse.first, 1 / 2.0 + 2 / 9.0 + 1);
  EXPECT_CLOSE(reverse.second, -1 / 3.0 - 3 / 4.0);
  EXPECT_CLOSE(__enzyme_fwddiff<double>(pointer_to(quotient), enzyme_dup, 3.0, 1.0, enzyme_dup, 2.0, 0.5),
               reverse.first + 0.5 * reverse.second);
}

PLUGIN_TEST(Conversions, PassThroughOtherPrecisions) {
  EXPECT_CLOSE(__enzyme_autodiff<double>(pointer_to(through_float), 1.5), 3.0);
  EXPECT_CLOSE(__enzyme_fwddiff<double>(pointer_to(through_float), enzyme_dup, 1.5, 1.0), 3.0);
  EXPECT_CLOSE_FLOAT(__enzyme_autodiff<float>(pointer_to(through_double), 1.5f), 4.4816890703380645);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>(pointer_to(through_double), enzyme_dup, 1.5f, 1.0f), 4.4816890703380645);
}

PLUGIN_TEST(Kinks, AbsoluteValueIsFlatAtZero) {
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(absolute), 0.0), 0.0);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(absolute), -0.0), 0.0);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(absolute), -3.0), -1.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(absolute), enzyme_dup, 0.0, 1.0), 0.0);
}

PLUGIN_TEST(Kinks, ExtremaFollowTheFirstArgumentAtATie) {
  const auto of_larger = __enzyme_autodiff<Pair<double>>(pointer_to(larger), 2.0, 2.0);
  EXPECT_SAME(of_larger.first, 1.0);
  EXPECT_SAME(of_larger.second, 0.0);
  const auto of_smaller = __enzyme_autodiff<Pair<double>>(pointer_to(smaller), 2.0, 2.0);
  EXPECT_SAME(of_smaller.first, 1.0);
  EXPECT_SAME(of_smaller.second, 0.0);
}

PLUGIN_TEST(Kinks, SquareRootOfZeroIsInfinitelySteep) {
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(root), 0.0), infinity);
  EXPECT_HOLDS(std::isnan(__enzyme_autodiff<double>(pointer_to(root_of_square), 0.0)));
}

PLUGIN_TEST(Kinks, ZeroSeedStaysOneWhereATangentIsVertical) {
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(root), enzyme_dup, 0.0, 0.0), 0.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(cube_root), enzyme_dup, 0.0, 0.0), 0.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(arc), enzyme_dup, 1.0, 0.0), 0.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(root), enzyme_dup, 0.0, 1.0), infinity);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(no_root), 0.0, enzyme_const, 0.0), 0.0);
  EXPECT_HOLDS(std::isnan(
      __enzyme_fwddiff<double>(pointer_to(root), enzyme_dup, std::numeric_limits<double>::quiet_NaN(), 1.0)));
}

PLUGIN_TEST(Kinks, StrongZeroKeepsSecondDerivativesWhereTheFirstAreZero) {
  const double point[] = {1.0, 0.0}, along_first[] = {1.0, 0.0};
  double gradient[2] = {}, product[2] = {};
  __enzyme_fwddiff<void>(pointer_to(strong_gradient), enzyme_dup, point, along_first, enzyme_dup, gradient, product);
  EXPECT_SAME(product[0], 0.0);
  EXPECT_SAME(product[1], 1.0);
  const double beside[] = {1.0, 4.0}, along_second[] = {0.0, 1.0};
  double gradient_beside[2] = {}, product_beside[2] = {};
  __enzyme_fwddiff<void>(pointer_to(strong_gradient), enzyme_dup, beside, along_second, enzyme_dup, gradient_beside,
                         product_beside);
  EXPECT_CLOSE(product_beside[0], 4.0);
  EXPECT_SAME(product_beside[1], 0.0);
}

PLUGIN_TEST(Kinks, StrongZeroMakesZeroTimesInfinityZero) {
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(root), enzyme_strong_zero, enzyme_dup, 0.0, 0.0), 0.0);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(root), enzyme_strong_zero, 4.0), 0.25);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(no_root), enzyme_strong_zero, 0.0, enzyme_const, 0.0), 0.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(no_root), enzyme_strong_zero, 0.0, 1.0, enzyme_const, 0.0), 0.0);
}

PLUGIN_TEST(Powers, FollowTheConventionsAtZero) {
  const auto zero_to_zero = __enzyme_autodiff<Pair<double>>(pointer_to(power), 0.0, 0.0);
  EXPECT_SAME(zero_to_zero.first, 0.0);
  EXPECT_SAME(zero_to_zero.second, 0.0);
  const auto zero_squared = __enzyme_autodiff<Pair<double>>(pointer_to(power), 0.0, 2.0);
  EXPECT_SAME(zero_squared.first, 0.0);
  EXPECT_SAME(zero_squared.second, 0.0);
  const auto negative_cubed = __enzyme_autodiff<Pair<double>>(pointer_to(power), -2.0, 3.0);
  EXPECT_CLOSE(negative_cubed.first, 12.0);
  EXPECT_SAME(negative_cubed.second, 0.0);
  EXPECT_CLOSE(__enzyme_autodiff<double>(pointer_to(cube), -2.0), 12.0);
  EXPECT_CLOSE(__enzyme_autodiff<double>(pointer_to(fourth_power), -2.0), -32.0);
}

PLUGIN_TEST(Norms, OfTheOriginAreFlat) {
  const auto gradient = __enzyme_autodiff<Pair<double>>(pointer_to(distance), 0.0, 0.0);
  EXPECT_SAME(gradient.first, 0.0);
  EXPECT_SAME(gradient.second, 0.0);
}

PLUGIN_TEST(Norms, OfSubnormalNumbersHaveDirections) {
  const auto gradient = __enzyme_autodiff<Pair<double>>(pointer_to(distance), 3e-310, 4e-310);
  EXPECT_CLOSE(gradient.first, 0.6);
  EXPECT_CLOSE(gradient.second, 0.8);
  const auto of_floats = __enzyme_autodiff<Pair<float>>(pointer_to(float_distance), 3 * 0x1p-140f, 4 * 0x1p-140f);
  EXPECT_CLOSE_FLOAT(of_floats.first, 0.6);
  EXPECT_CLOSE_FLOAT(of_floats.second, 0.8);
  EXPECT_CLOSE_FLOAT(__enzyme_fwddiff<float>(pointer_to(float_distance), enzyme_dup, 3 * 0x1p-140f, 1.0f, enzyme_dup,
                                             4 * 0x1p-140f, 1.0f),
                     1.4);
}

PLUGIN_TEST(Signs, AreFollowedByCopysign) {
  EXPECT_SAME(__enzyme_autodiff<Pair<double>>(pointer_to(with_sign), 3.0, -1.0).first, -1.0);
  EXPECT_SAME(__enzyme_autodiff<Pair<double>>(pointer_to(with_sign), -3.0, -1.0).first, 1.0);
  EXPECT_SAME(__enzyme_autodiff<Pair<double>>(pointer_to(with_sign), -3.0, -1.0).second, 0.0);
}

PLUGIN_TEST(Integers, CutOffDerivatives) {
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(rounding), 2.75), 3.0);
  EXPECT_SAME(__enzyme_fwddiff<double>(pointer_to(rounding), enzyme_dup, 2.75, 1.0), 3.0);
  EXPECT_SAME(__enzyme_autodiff<double>(pointer_to(mantissa), 12.0), 1.0 / 16);
}

PLUGIN_TEST(Vectors, AreDifferentiatedElementwise) {
  const double x = 0.3;
  double expected = 0;
  for (int k = 1; k <= 4; ++k)
    expected += k * std::exp(-k * x) * (std::cos(k * x) - std::sin(k * x));
  EXPECT_CLOSE(__enzyme_autodiff<double>(pointer_to(of_vector), x), expected);
  EXPECT_CLOSE(__enzyme_fwddiff<double>(pointer_to(of_vector), enzyme_dup, x, 1.0), expected);
}
