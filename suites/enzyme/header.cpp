// Programs that include <enzyme/enzyme>.
#include "support/plugin_test.hpp"
#include <array>
#include <cmath>
#include <enzyme/enzyme>
#include <stdexcept>
#include <vector>

namespace {

double square(double x) {
  return x * x;
}
float square_float(float x) {
  return x * x;
}
template <class T>
T cube(T x) {
  return x * x * x;
}
double product(double x, double y) {
  return x * y;
}
double sum_of_cubes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * x[i];
  return sum;
}
void sine(const double &x, double &y) {
  y = std::sin(x);
}

struct Plane {
  double a, b;
};
double at(Plane plane, double x) {
  return plane.a * plane.b * x;
}
double area(const Plane &plane) {
  return plane.a * plane.b;
}
double norm(const std::vector<double> &x) {
  double sum = 0;
  for (const double element : x)
    sum += element * element;
  return sum;
}
std::array<double, 2> powers(double x) {
  return {x * x, x * x * x};
}
struct Parabola {
  double factor;
  double operator()(double x) const { return factor * x * x; }
  double shifted(double x) const { return factor * (x - 1) * (x - 1); }
};
double *element(double *x, int i) {
  return x + i;
}
void scale_all(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= x[i];
}
int length(double x) {
  return int(x);
}

} // namespace

PLUGIN_TEST(EnzymeHeader, ReverseGivesTheGradientsOfActiveArguments) {
  auto [dx] = enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>(5.0)));
  EXPECT_CLOSE(dx, 10);
  auto [gradients, value] =
      enzyme::autodiff<enzyme::ReverseWithPrimal>(product, enzyme::Active(3.0), enzyme::Active(4.0));
  EXPECT_CLOSE(enzyme::get<0>(gradients), 4);
  EXPECT_CLOSE(enzyme::get<1>(gradients), 3);
  EXPECT_CLOSE(value, 12);
  auto constant = enzyme::autodiff<enzyme::Reverse>(product, enzyme::Const<double>(3.0), enzyme::Active<double>(4.0));
  EXPECT_CLOSE(enzyme::get<0>(enzyme::get<0>(constant)), 3);
  static_assert(std::is_same_v<decltype(constant), enzyme::tuple<enzyme::tuple<double>>>);
}
PLUGIN_TEST(EnzymeHeader, ForwardGivesTheTangentWithThePrimalOnRequest) {
  using namespace enzyme;
  auto [tangent] = autodiff<Forward>(square, Duplicated<double>(3.0, 1.0));
  const double converted = autodiff<Forward, DuplicatedNoNeed<double>>(square, Duplicated(3.0, 1.0));
  auto [value, with_value] = autodiff<Forward, Duplicated<double>>(square, Duplicated(3.0, 1.0));
  auto [value_by_mode, by_mode] = autodiff<ForwardWithPrimal>(square, Duplicated(3.0, 1.0));
  for (const double each : {tangent, converted, with_value, by_mode})
    EXPECT_CLOSE(each, 6);
  EXPECT_CLOSE(value, 9);
  EXPECT_CLOSE(value_by_mode, 9);
}
PLUGIN_TEST(EnzymeHeader, PointersAndReferences) {
  using namespace enzyme;
  double x[3] = {1, 2, 3}, dx[3] = {};
  autodiff<Reverse>(sum_of_cubes, Duplicated<double *>(x, dx), Const<int>(3));
  autodiff<Reverse>(sum_of_cubes, Duplicated<const double *>(x, dx), Const(3));
  autodiff<Reverse>(sum_of_cubes, Duplicated(x, dx), Const(3));
  EXPECT_CLOSE(dx[2], 3 * 27);
  double a = 0.5, da = 1, b = 0, db = 0;
  autodiff<Forward>(sine, Duplicated<const double &>(a, da), Duplicated<double &>(b, db));
  EXPECT_CLOSE(b, std::sin(0.5));
  EXPECT_CLOSE(db, std::cos(0.5));
  da = 0;
  db = 2;
  autodiff<Reverse>(sine, Duplicated(a, da), DuplicatedNoNeed(b, db));
  EXPECT_CLOSE(da, 2 * std::cos(0.5));
  EXPECT_CLOSE(db, 0);
  double scalar = 3, adjoint = 0;
  autodiff<Reverse>(square, Duplicated(scalar, adjoint));
  EXPECT_CLOSE(adjoint, 6);
}
PLUGIN_TEST(EnzymeHeader, Objects) {
  using namespace enzyme;
  auto [gradients] = autodiff<Reverse>(at, Active<Plane>(Plane{2, 3}), Active(5.0));
  EXPECT_CLOSE(get<0>(gradients).a, 15);
  EXPECT_CLOSE(get<0>(gradients).b, 10);
  EXPECT_CLOSE(get<1>(gradients), 6);
  Plane plane{2, 3}, shadow{0, 0};
  autodiff<Reverse>(area, Duplicated(plane, shadow));
  EXPECT_CLOSE(shadow.a, 3);
  std::vector<double> x{1, 2}, dx(2);
  autodiff<Reverse, Active<double>>(norm, Duplicated(x, dx));
  autodiff<Reverse>(norm, Duplicated<const std::vector<double> &>(x, dx));
  EXPECT_CLOSE(dx[1], 8);
  auto [tangent] = autodiff<Forward>(powers, Duplicated(2.0, 1.0));
  EXPECT_CLOSE(tangent[1], 12);
}
PLUGIN_TEST(EnzymeHeader, AShadowOfAnotherLengthIsRefused) {
  const std::vector<double> x{1, 2};
  std::vector<double> dx(3);
  bool refused = false;
  try {
    enzyme::autodiff<enzyme::Reverse>(norm, enzyme::Duplicated<const std::vector<double> &>(x, dx));
  } catch (const std::invalid_argument &) {
    refused = true;
  }
  EXPECT_HOLDS(refused);
}
PLUGIN_TEST(EnzymeHeader, FunctionsObjectsAndLambdas) {
  using namespace enzyme;
  const auto slope = [](auto &&function) -> double { return get<0>(get<0>(autodiff<Reverse>(function, Active(2.0)))); };
  double factor = 7;
  Parabola parabola{3}, shadow{0};
  EXPECT_CLOSE(slope(parabola), 12);
  EXPECT_CLOSE(slope(Parabola{5}), 20);
  EXPECT_CLOSE(slope([factor](double x) { return factor * x * x; }), 28);
  EXPECT_CLOSE(slope(&square), 4);
  EXPECT_CLOSE(slope(cube<double>), 12);
  const double temporary = get<0>(get<0>(autodiff<Reverse>([](double x) { return x * x * x; }, Active(2))));
  EXPECT_CLOSE(temporary, 12);
  auto [annotated] = autodiff<Reverse>(Duplicated(parabola, shadow), Active(2.0));
  EXPECT_CLOSE(get<0>(annotated), 12);
  EXPECT_CLOSE(shadow.factor, 4);
  auto [member] = autodiff<Reverse>(&Parabola::shifted, Const(parabola), Active(2.0));
  EXPECT_CLOSE(get<0>(member), 6);
  double out = 0, dout = 1;
  const auto writes = [&factor](double x, double *y) { *y = factor * x; };
  auto [written] = autodiff<Reverse>(writes, Active(2.0), DuplicatedNoNeed(&out, &dout));
  EXPECT_CLOSE(get<0>(written), 7);
}
PLUGIN_TEST(EnzymeHeader, OtherResults) {
  using namespace enzyme;
  const float single = get<0>(get<0>(autodiff<Reverse>(square_float, Active<float>(2.0f))));
  EXPECT_CLOSE_FLOAT(single, 4);
  const Active<double> named(6.0);
  EXPECT_CLOSE(get<0>(get<0>(autodiff<Reverse>(square, named))), 12);
  EXPECT_CLOSE(get<0>(get<0>(autodiff<Reverse, Const<double>>(square, Active(2.0)))), 0);
  auto [none, value] = autodiff<ReverseWithPrimal>(length, Active(2.5));
  EXPECT_HOLDS(value == 2);
  EXPECT_CLOSE(get<0>(none), 0);
  double x[2] = {2, 3}, dx[2] = {1, 1};
  auto [address] = autodiff<Forward>(element, Duplicated(x, dx), Const(1));
  EXPECT_HOLDS(address == dx + 1);
  auto nothing = autodiff<Reverse, Const<void>>(scale_all, Duplicated(x, dx), Const(2));
  static_assert(std::is_same_v<decltype(nothing), enzyme::tuple<enzyme::tuple<>>>);
  EXPECT_CLOSE(dx[1], 6);
  EXPECT_CLOSE(__enzyme_autodiff<double>((void *)square, enzyme_out, 3.0), 6);
  EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)square, enzyme_dup, 3.0, 2.0), 12);
}
