// Activities and modes on scalars of every precision.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <cmath>

using namespace assay;

namespace {

double square(double x) {
  return x * x;
}
float cube(float x) {
  return x * x * x;
}
long double quotient(long double x, long double y) {
  return x / y;
}
double power(double x, int n) {
  double result = 1;
  for (int i = 0; i < n; ++i)
    result *= x;
  return result;
}
double mixed(float x, double y, long double z) {
  return double(x) * y * double(z);
}
double waves(double x, double y) {
  return std::sin(x) * std::exp(y);
}
void scale_in_place(double &x, double factor) {
  x *= factor;
}
int rounded(double x) {
  return int(x);
}

PLUGIN_TEST(ScalarReverse, ReturnsTheAdjointOfAnActiveArgument) {
  const auto result = autodiff<Reverse>(square, Active{3.0});
  static_assert(std::is_same_v<decltype(result.gradient), std::tuple<double>>);
  EXPECT_SAME(std::get<0>(result.gradient), 6.0);
}

PLUGIN_TEST(ScalarReverse, ReturnsThePrimalWhenAsked) {
  const auto result = autodiff<ReverseWithPrimal>(square, Active{3.0});
  EXPECT_SAME(result.primal, 9.0);
  EXPECT_SAME(std::get<0>(result.gradient), 6.0);
}

PLUGIN_TEST(ScalarReverse, GivesOneEntryForEachArgumentAndNoneForConst) {
  const auto result = autodiff<Reverse>(waves, Const{0.5}, Active{0.25});
  static_assert(std::is_same_v<decltype(result.gradient), std::tuple<None, double>>);
  EXPECT_CLOSE(std::get<1>(result.gradient), std::sin(0.5) * std::exp(0.25));
}

PLUGIN_TEST(ScalarReverse, TakesAnActiveVariable) {
  const double x = 0.5;
  double y = 0.25;
  const auto result = autodiff<ReverseWithPrimal>(waves, Active{x}, Active{y});
  EXPECT_CLOSE(std::get<0>(result.gradient), std::cos(x) * std::exp(y));
  EXPECT_CLOSE(std::get<1>(result.gradient), std::sin(x) * std::exp(y));
  EXPECT_SAME(result.primal, waves(x, y));
}

PLUGIN_TEST(ScalarReverse, MakesAnActiveIntegerADouble) {
  const auto result = autodiff<Reverse>(square, Active{3});
  EXPECT_SAME(std::get<0>(result.gradient), 6.0);
}

PLUGIN_TEST(ScalarReverse, PassesIntegersAsConst) {
  const auto result = autodiff<Reverse>(power, Active{2.0}, Const{5});
  EXPECT_SAME(std::get<0>(result.gradient), 80.0);
}

PLUGIN_TEST(ScalarReverse, WorksInFloatAndLongDouble) {
  const auto single = autodiff<ReverseWithPrimal>(cube, Active{2.0f});
  EXPECT_SAME(double(std::get<0>(single.gradient)), 12.0);
  EXPECT_SAME(double(single.primal), 8.0);
  const auto extended = autodiff<ReverseWithPrimal>(quotient, Active{3.0L}, Active{4.0L});
  EXPECT_SAME(double(std::get<0>(extended.gradient)), 0.25);
  EXPECT_SAME(double(std::get<1>(extended.gradient)), -0.1875);
  EXPECT_SAME(double(extended.primal), 0.75);
}

PLUGIN_TEST(ScalarReverse, ReturnsAdjointsOfDifferentPrecisionsTogether) {
  const auto result = autodiff<ReverseWithPrimal>(mixed, Active{2.0f}, Active{3.0}, Active{4.0L});
  EXPECT_SAME(double(std::get<0>(result.gradient)), 12.0);
  EXPECT_SAME(std::get<1>(result.gradient), 8.0);
  EXPECT_SAME(double(std::get<2>(result.gradient)), 6.0);
  EXPECT_SAME(result.primal, 24.0);
}

PLUGIN_TEST(ScalarReverse, AddsIntoTheShadowOfADuplicatedScalar) {
  double x = 3, dx = 10;
  autodiff<Reverse>(square, Duplicated{x, dx});
  EXPECT_SAME(dx, 16.0);
}

PLUGIN_TEST(ScalarReverse, TurnsTheShadowOfAnOverwrittenScalar) {
  double x = 3, dx = 1;
  const auto result = autodiff<Reverse>(scale_in_place, Duplicated{x, dx}, Active{5.0});
  EXPECT_SAME(x, 15.0);
  EXPECT_SAME(dx, 5.0);
  EXPECT_SAME(std::get<1>(result.gradient), 3.0);
}

PLUGIN_TEST(ScalarReverse, SeedsNothingWhenTheReturnIsConst) {
  const auto result = autodiff<ReverseWithPrimal, Const>(square, Active{3.0});
  EXPECT_SAME(std::get<0>(result.gradient), 0.0);
  EXPECT_SAME(result.primal, 9.0);
}

PLUGIN_TEST(ScalarReverse, TakesTheReturnActivityAsSecondTemplateArgument) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse, Active>(square, Active{3.0}).gradient), 6.0);
}

PLUGIN_TEST(ScalarReverse, AcceptsTheOptionsOfAMode) {
  EXPECT_SAME(std::get<0>(autodiff<set_runtime_activity(Reverse)>(square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<set_strong_zero(Reverse)>(square, Active{3.0}).gradient), 6.0);
}

PLUGIN_TEST(ScalarForward, ReturnsTheDerivativeAlongTheShadow) {
  EXPECT_SAME(autodiff<Forward>(square, Duplicated{3.0, 1.0}).derivative, 6.0);
  EXPECT_SAME(autodiff<Forward>(square, Duplicated{3.0, 0.5}).derivative, 3.0);
}

PLUGIN_TEST(ScalarForward, ReturnsThePrimalWhenAsked) {
  const auto result = autodiff<ForwardWithPrimal>(square, Duplicated{3.0, 1.0});
  EXPECT_SAME(result.primal, 9.0);
  EXPECT_SAME(result.derivative, 6.0);
}

PLUGIN_TEST(ScalarForward, AddsTheContributionsOfAllArguments) {
  const auto result = autodiff<Forward>(waves, Duplicated{0.5, 2.0}, DuplicatedNoNeed{0.25, -1.0});
  EXPECT_CLOSE(result.derivative, 2.0 * std::cos(0.5) * std::exp(0.25) - std::sin(0.5) * std::exp(0.25));
}

PLUGIN_TEST(ScalarForward, LeavesConstArgumentsAlone) {
  EXPECT_CLOSE(autodiff<Forward>(waves, Const{0.5}, Duplicated{0.25, 1.0}).derivative, std::sin(0.5) * std::exp(0.25));
}

PLUGIN_TEST(ScalarForward, WorksInFloatAndLongDouble) {
  EXPECT_SAME(double(autodiff<Forward>(cube, Duplicated{2.0f, 1.0f}).derivative), 12.0);
  EXPECT_SAME(double(autodiff<Forward>(quotient, Const{3.0L}, Duplicated{4.0L, 1.0L}).derivative), -0.1875);
}

PLUGIN_TEST(ScalarForward, ChangesAVariableAndItsTangentInPlace) {
  double x = 3, dx = 0.5;
  autodiff<Forward>(scale_in_place, Duplicated{x, dx}, Duplicated{5.0, 1.0});
  EXPECT_SAME(x, 15.0);
  EXPECT_SAME(dx, 5.5);
}

PLUGIN_TEST(ScalarForward, GivesNoDerivativeForAConstReturn) {
  const auto result = autodiff<ForwardWithPrimal, Const>(square, Duplicated{3.0, 1.0});
  static_assert(std::is_same_v<decltype(result.derivative), None>);
  EXPECT_SAME(result.primal, 9.0);
}

PLUGIN_TEST(ScalarForward, ReturnsIntegersWithoutDerivative) {
  const auto result = autodiff<ForwardWithPrimal>(rounded, Duplicated{3.5, 1.0});
  static_assert(std::is_same_v<decltype(result.derivative), None>);
  EXPECT_HOLDS(result.primal == 3);
}

} // namespace
