// Everything that can be called can be differentiated: functions, template instances, lambdas, function objects,
// members.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <span>

using namespace assay;

namespace {

double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}
template <class T>
T twice(T x) {
  return 2 * x;
}
double by_reference(const double &x) {
  return x * x;
}
double first_of(std::array<double, 2> x) {
  return x[0] * x[0] + x[1];
}
double careful(double x) noexcept {
  return 5 * x;
}

struct Polynomial {
  double a, b;
  double operator()(double x) const { return a * x * x + b * x; }
  double value(double x) const { return (*this)(x); }
  void grow(double factor) { a *= factor; }
};

PLUGIN_TEST(Callables, FunctionPointersOfEveryKind) {
  double (*pointer)(double) = square;
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(pointer, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(&square, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(careful, Active{3.0}).gradient), 5.0);
}

PLUGIN_TEST(Callables, FunctionsChosenWhileRunning) {
  double (*const table[])(double) = {square, cube};
  volatile int which = 1;
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(table[which], Active{2.0}).gradient), 12.0);
  which = 0;
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(table[which], Active{2.0}).gradient), 4.0);
}

PLUGIN_TEST(Callables, InstancesOfFunctionTemplates) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(twice<double>, Active{3.0}).gradient), 2.0);
  EXPECT_SAME(double(autodiff<Forward>(twice<float>, Duplicated{3.0f, 1.0f}).derivative), 2.0);
}

PLUGIN_TEST(Callables, FunctionsWhoseParametersAreNotPlainScalars) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(by_reference, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(autodiff<Forward>(by_reference, Duplicated{3.0, 1.0}).derivative, 6.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(first_of, Active{std::array{3.0, 4.0}}).gradient)[0], 6.0);
}

PLUGIN_TEST(Callables, ArgumentsThatAreConvertedOnTheWay) {
  const auto result = autodiff<Reverse>(square, Active{3.0f});
  static_assert(std::is_same_v<decltype(result.gradient), std::tuple<float>>);
  EXPECT_SAME(double(std::get<0>(result.gradient)), 6.0);
}

PLUGIN_TEST(Callables, LambdasWithConstantCaptures) {
  const double factor = 4;
  EXPECT_SAME(std::get<0>(autodiff<Reverse>([](double x) { return x * x; }, Active{3.0}).gradient), 6.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>([factor](double x) { return factor * x * x; }, Active{3.0}).gradient),
              24.0);
  EXPECT_SAME(autodiff<Forward>([&](double x) { return factor * x * x; }, Duplicated{3.0, 1.0}).derivative, 24.0);
}

PLUGIN_TEST(Callables, GenericLambdas) {
  const auto result = autodiff<Reverse>([](auto x, auto y) { return x * y; }, Active{3.0}, Active{5.0});
  EXPECT_SAME(std::get<0>(result.gradient), 5.0);
  EXPECT_SAME(std::get<1>(result.gradient), 3.0);
}

PLUGIN_TEST(Callables, FunctionObjects) {
  const Polynomial p{2, 5};
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(p, Active{3.0}).gradient), 17.0);
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(Const{p}, Active{3.0}).gradient), 17.0);
}

PLUGIN_TEST(Callables, FunctionObjectsThatAreDifferentiatedThemselves) {
  Polynomial p{2, 5}, dp{0, 0};
  const auto result = autodiff<Reverse>(Duplicated{p, dp}, Active{3.0});
  EXPECT_SAME(std::get<0>(result.gradient), 17.0);
  EXPECT_SAME(dp.a, 9.0);
  EXPECT_SAME(dp.b, 3.0);
}

PLUGIN_TEST(Callables, MemberFunctions) {
  Polynomial p{2, 5}, dp{0, 0};
  const auto result = autodiff<Reverse>(&Polynomial::value, Duplicated{p, dp}, Active{3.0});
  EXPECT_SAME(std::get<1>(result.gradient), 17.0);
  EXPECT_SAME(dp.a, 9.0);
  EXPECT_SAME(dp.b, 3.0);
  EXPECT_SAME(std::get<1>(autodiff<Reverse>(&Polynomial::value, Const{p}, Active{3.0}).gradient), 17.0);
}

PLUGIN_TEST(Callables, MemberFunctionsThatChangeTheirObject) {
  Polynomial p{2, 5}, dp{1, 0};
  const auto result = autodiff<Reverse>(&Polynomial::grow, Duplicated{p, dp}, Active{3.0});
  EXPECT_SAME(p.a, 6.0);
  EXPECT_SAME(dp.a, 3.0);
  EXPECT_SAME(std::get<1>(result.gradient), 2.0);
}

} // namespace
