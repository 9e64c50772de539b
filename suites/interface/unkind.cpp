// Programs that are not written for a tool: odd types, mixed annotations, strings, members, lambdas, smart pointers.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Layer {
  std::string name;
  std::vector<double> w;
  double b;
  int n;
};
struct Net {
  std::vector<Layer> layers;
  std::map<std::string, double> table;
};
double net(const Net &n, double x) {
  for (const Layer &layer : n.layers)
    x = layer.w[0] * x + layer.b;
  return x * n.table.at("scale");
}
struct Counter {
  double k;
  mutable int calls = 0;
  double go(double x) const {
    ++calls;
    return k * x * x;
  }
  double grow(const std::vector<double> &v, double s) {
    k *= s;
    return k * v[0];
  }
  virtual ~Counter() = default;
};
double by_value(std::vector<double> v) {
  double sum = 0;
  for (double element : v)
    sum += element * element;
  return sum;
}
double product(const std::vector<double> &x) {
  double product = 1;
  for (double element : x)
    product *= element;
  return product;
}
double mixed(float a, double b, int n, const double *p, long double c) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i];
  return a * b * sum * double(c);
}
float volume(const std::array<float, 3> &a) {
  return a[0] * a[1] * a[2];
}
const double &by_reference(const double &x) {
  static double result;
  result = x * x;
  return result;
}
double behind_pointer(const std::unique_ptr<Layer> &layer) {
  return layer->w[0] * layer->b;
}

PLUGIN_TEST(Unkind, StructsOfStructsWithStringsAndMaps) {
  Net n{{{"first layer with a rather long name", {2}, 1, 3}, {"b", {3}, -1, 4}}, {{"scale", 2.0}, {"other", 5.0}}};
  Net d = make_zero(n);
  const auto result = autodiff<ReverseWithPrimal>(net, Duplicated{n, d}, Active{1.5});
  EXPECT_CLOSE(result.primal, net(n, 1.5));
  EXPECT_CLOSE(std::get<1>(result.gradient), 12.0);
  EXPECT_CLOSE(d.layers[0].w[0], 9.0);
  EXPECT_CLOSE(d.layers[1].b, 2.0);
  EXPECT_CLOSE(d.table["scale"], 11.0);
  EXPECT_HOLDS(d.layers[0].name == n.layers[0].name);
  EXPECT_CLOSE(std::get<0>(gradient<Reverse>(net, n, 1.5)).layers[0].w[0], 9.0);
}

PLUGIN_TEST(Unkind, MembersThatChangeTheirObject) {
  Counter c;
  c.k = 2;
  Counter dc = c;
  dc.k = 0;
  EXPECT_CLOSE(std::get<1>(autodiff<Reverse>(&Counter::go, Duplicated{c, dc}, Active{3.0}).gradient), 12.0);
  EXPECT_CLOSE(dc.k, 9.0);
  std::vector<double> v{2, 3}, dv(2);
  dc.k = 0;
  const auto result = autodiff<ReverseWithPrimal>(&Counter::grow, Duplicated{c, dc}, Duplicated{v, dv}, Active{5.0});
  EXPECT_CLOSE(result.primal, 20.0);
  EXPECT_CLOSE(dv[0], 10.0);
  EXPECT_CLOSE(std::get<2>(result.gradient), 4.0);
  EXPECT_CLOSE(dc.k, 10.0);
}

PLUGIN_TEST(Unkind, EightLanesOfConstVectorsAndOfArgumentsByValue) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<std::vector<double>, 8> tangents;
  for (std::size_t i = 0; i != 8; ++i) {
    tangents[i].assign(8, 0);
    tangents[i][i] = 1;
  }
  const auto result = autodiff<ForwardWithPrimal>(product, BatchDuplicated{x, tangents});
  for (std::size_t i = 0; i != 8; ++i)
    EXPECT_CLOSE(result.derivative[i], 40320.0 / double(i + 1));
  EXPECT_CLOSE((autodiff<Forward, BatchDuplicatedNoNeed>(by_value, BatchDuplicated{x, tangents}).derivative[7]), 16.0);
  std::vector<double> dx(8);
  autodiff<Reverse>(by_value, Duplicated{x, dx});
  EXPECT_CLOSE(dx[7], 16.0);
}

PLUGIN_TEST(Unkind, ManyPrecisionsAndIntegersInOneCall) {
  const double p[] = {1, 2};
  double dp[2] = {};
  const int n = 3;
  const double *first = p;
  const auto result =
      autodiff<ReverseWithPrimal>(mixed, Active{2.0f}, Active{3.0}, Const{2}, Duplicated{first, &dp[0]}, Active{4.0L});
  EXPECT_CLOSE(double(std::get<0>(result.gradient)), 36.0);
  EXPECT_CLOSE(double(std::get<4>(result.gradient)), 18.0);
  EXPECT_CLOSE(dp[1], 24.0);
  EXPECT_CLOSE(double(std::get<0>(autodiff<Reverse>(volume, Active{std::array<float, 3>{1, 2, 3}}).gradient)[0]), 6.0);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(by_reference, Active{3.0}).gradient), 6.0);
  EXPECT_CLOSE(double(gradient<Forward>([](float q) { return q * q; }, 3.0f)), 6.0);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>([](double x, int m) { return x * m; }, Active{n}, Const{n}).gradient),
               3.0);
}

PLUGIN_TEST(Unkind, LambdasThatAreMutableCapturedOrErased) {
  double a = 2;
  const std::vector<double> big{1, 2, 3};
  auto counting = [b = a, &big, s = std::string("a text that is long enough to be on the heap")](double x) mutable {
    b += 1;
    return b * x * big[1] + double(s.size());
  };
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(counting, Active{3.0}).gradient), 6.0);
  auto square = [a](double x) { return a * x * x; };
  auto shadow = make_zero(square);
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(Duplicated{square, shadow}, Active{3.0}).gradient), 12.0);
  EXPECT_CLOSE(numbers_of(shadow)[0], 9.0);
  const std::function<double(double)> erased = square;
  EXPECT_CLOSE(std::get<0>(autodiff<Reverse>(erased, Active{3.0}).gradient), 12.0);
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(erased, type<Active<double>>);
  auto augmented = forward(Active{3.0});
  EXPECT_CLOSE(std::get<0>(reverse(Active{3.0}, 1.0, augmented.tape)), 12.0);
}

PLUGIN_TEST(Unkind, PointersThatOwn) {
  auto layer = std::make_unique<Layer>(Layer{"x", {2}, 3, 1});
  auto shadow = make_zero(layer);
  autodiff<Reverse>(behind_pointer, Duplicated{layer, shadow});
  EXPECT_CLOSE(shadow->b, 2.0);
  EXPECT_CLOSE(shadow->w[0], 3.0);
  EXPECT_CLOSE(gradient<Forward>(behind_pointer, layer)->b, 2.0);
}

} // namespace
