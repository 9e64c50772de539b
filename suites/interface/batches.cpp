// Several shadows at once.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <cmath>
#include <complex>
#include <span>
#include <vector>

using namespace assay;

namespace {

double square(double x) {
  return x * x;
}
double waves(double x, double y) {
  return std::sin(x) * std::exp(y);
}
double sum_of_squares(const std::vector<double> &x) {
  double sum = 0;
  for (double element : x)
    sum += element * element;
  return sum;
}
double weighted(const std::vector<double> &x, double weight, int power) {
  double sum = 0;
  for (double element : x)
    sum += std::pow(element, power);
  return weight * sum;
}
void squares(std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i != x.size(); ++i)
    y[i] = x[i] * x[i];
}
std::vector<double> multiples(double x, const std::vector<double> &factors) {
  std::vector<double> result;
  for (double factor : factors)
    result.push_back(factor * x * x);
  return result;
}
std::array<double, 2> product_and_sum(double x, double y) {
  return {x * y, x + y};
}

struct Polynomial {
  double a, b;
  double operator()(double x) const { return a * x * x + b * x; }
  double value(double x) const { return (*this)(x); }
};

PLUGIN_TEST(BatchForward, GivesADerivativeForEachLane) {
  const auto result = autodiff<ForwardWithPrimal>(square, BatchDuplicated{3.0, std::array{1.0, 2.0, 0.5}});
  static_assert(std::is_same_v<decltype(result.derivative), std::array<double, 3>>);
  EXPECT_SAME(result.primal, 9.0);
  EXPECT_SAME(result.derivative[0], 6.0);
  EXPECT_SAME(result.derivative[1], 12.0);
  EXPECT_SAME(result.derivative[2], 3.0);
}

PLUGIN_TEST(BatchForward, OfSeveralArguments) {
  const auto result = autodiff<Forward>(waves, BatchDuplicated{0.5, std::array{1.0, 0.0}},
                                        BatchDuplicatedNoNeed{0.25, std::array{0.0, 1.0}});
  EXPECT_CLOSE(result.derivative[0], std::cos(0.5) * std::exp(0.25));
  EXPECT_CLOSE(result.derivative[1], std::sin(0.5) * std::exp(0.25));
}

PLUGIN_TEST(BatchForward, OfOneLaneIsAnArrayOfOne) {
  const auto result = autodiff<Forward>(square, BatchDuplicated{3.0, std::array{1.0}});
  static_assert(std::is_same_v<decltype(result.derivative), std::array<double, 1>>);
  EXPECT_SAME(result.derivative[0], 6.0);
}

PLUGIN_TEST(BatchForward, OfEightLanes) {
  std::array<double, 8> tangents{};
  for (std::size_t lane = 0; lane != 8; ++lane)
    tangents[lane] = double(lane);
  const auto result = autodiff<Forward, BatchDuplicated>(square, BatchDuplicated{3.0, tangents});
  for (std::size_t lane = 0; lane != 8; ++lane)
    EXPECT_SAME(result.derivative[lane], 6.0 * double(lane));
}

PLUGIN_TEST(BatchForward, OfVectorsBesideConstants) {
  const std::vector<double> x{1, 2, 3};
  const auto result = autodiff<ForwardWithPrimal>(
      weighted, BatchDuplicated{x, std::array{std::vector{1.0, 0.0, 0.0}, std::vector{0.0, 1.0, 1.0}}}, Const{0.5},
      Const{2});
  EXPECT_CLOSE(result.primal, 7.0);
  EXPECT_CLOSE(result.derivative[0], 1.0);
  EXPECT_CLOSE(result.derivative[1], 5.0);
}

PLUGIN_TEST(BatchForward, OfResultsOfClassType) {
  const std::vector<double> factors{1, 10};
  const auto result =
      autodiff<ForwardWithPrimal>(multiples, BatchDuplicated{3.0, std::array{1.0, 0.5}}, Const{factors});
  EXPECT_SAME(result.primal[1], 90.0);
  EXPECT_SAME(result.derivative[0][0], 6.0);
  EXPECT_SAME(result.derivative[0][1], 60.0);
  EXPECT_SAME(result.derivative[1][1], 30.0);
  const auto pair = autodiff<Forward>(product_and_sum, BatchDuplicated{3.0, std::array{1.0, 0.0}},
                                      BatchDuplicated{4.0, std::array{0.0, 1.0}});
  EXPECT_SAME(pair.derivative[0][0], 4.0);
  EXPECT_SAME(pair.derivative[1][0], 3.0);
  EXPECT_SAME(pair.derivative[1][1], 1.0);
}

PLUGIN_TEST(BatchForward, OfACallableAndOfAnArgumentThatIsWritten) {
  Polynomial p{2, 5};
  const auto result = autodiff<Forward>(BatchDuplicated{p, std::array{Polynomial{1, 0}, Polynomial{0, 1}}},
                                        BatchDuplicated{3.0, std::array{0.0, 1.0}});
  EXPECT_SAME(result.derivative[0], 9.0);
  EXPECT_SAME(result.derivative[1], 20.0);
  const std::array x{1.0, 2.0};
  std::array dx1{1.0, 0.0}, dx2{0.0, 1.0}, y{0.0, 0.0}, dy1{0.0, 0.0}, dy2{0.0, 0.0};
  autodiff<Forward>(
      squares, BatchDuplicated{std::span<const double>(x), std::array{std::span<double>(dx1), std::span<double>(dx2)}},
      BatchDuplicated{std::span<double>(y), std::array{std::span<double>(dy1), std::span<double>(dy2)}});
  EXPECT_SAME(y[1], 4.0);
  EXPECT_SAME(dy1[0], 2.0);
  EXPECT_SAME(dy2[0], 0.0);
  EXPECT_SAME(dy2[1], 4.0);
}

PLUGIN_TEST(BatchReverse, AddsIntoTheShadowOfEachLane) {
  const std::array x{1.0, 2.0};
  std::array dx1{100.0, 0.0}, dx2{0.0, 0.0}, y{0.0, 0.0}, dy1{1.0, 0.0}, dy2{0.0, 3.0};
  autodiff<Reverse>(
      squares, BatchDuplicated{std::span<const double>(x), std::array{std::span<double>(dx1), std::span<double>(dx2)}},
      BatchDuplicated{std::span<double>(y), std::array{std::span<double>(dy1), std::span<double>(dy2)}});
  EXPECT_SAME(dx1[0], 102.0);
  EXPECT_SAME(dx1[1], 0.0);
  EXPECT_SAME(dx2[0], 0.0);
  EXPECT_SAME(dx2[1], 12.0);
}

PLUGIN_TEST(BatchReverse, TakesAnArrayVariableOrATieAsShadows) {
  const std::vector<double> x{1, 2};
  std::array shadows{std::vector<double>(2), std::vector<double>(2)};
  std::vector<double> dx1(2), dx2(2);
  autodiff<Reverse>(sum_of_squares, BatchDuplicated{x, shadows});
  autodiff<Reverse>(sum_of_squares, BatchDuplicated{x, std::tie(dx1, dx2)});
  autodiff<Reverse>(sum_of_squares, BatchDuplicated{x, std::array{std::ref(dx1), std::ref(dx2)}});
  EXPECT_SAME(shadows[1][1], 4.0);
  EXPECT_SAME(dx1[0], 4.0);
  EXPECT_SAME(dx2[1], 8.0);
}

PLUGIN_TEST(BatchReverse, ReturnsAdjointsOfScalarsLaneByLane) {
  const std::vector<double> x{1, 2};
  std::vector<double> dx1(2), dx2(2);
  const auto result =
      autodiff<ReverseWithPrimal>(weighted, BatchDuplicated{x, std::tie(dx1, dx2)}, Active{0.5}, Const{3});
  static_assert(std::is_same_v<decltype(result.gradient), std::tuple<None, std::array<double, 2>, None>>);
  EXPECT_CLOSE(result.primal, 4.5);
  EXPECT_CLOSE(std::get<1>(result.gradient)[0], 9.0);
  EXPECT_CLOSE(std::get<1>(result.gradient)[1], 9.0);
  EXPECT_CLOSE(dx2[1], 6.0);
}

PLUGIN_TEST(BatchReverse, TakesASeedForEachLane) {
  const std::vector<double> x{1, 2};
  std::vector<double> dx1(2), dx2(2);
  const auto result = autodiff<Reverse>(weighted, Seed{std::array{1.0, 10.0}}, BatchDuplicated{x, std::tie(dx1, dx2)},
                                        Active{0.5}, Const{3});
  EXPECT_CLOSE(std::get<1>(result.gradient)[0], 9.0);
  EXPECT_CLOSE(std::get<1>(result.gradient)[1], 90.0);
  EXPECT_CLOSE(dx1[1], 6.0);
  EXPECT_CLOSE(dx2[1], 60.0);
}

PLUGIN_TEST(BatchReverse, OfActiveObjects) {
  double x = 3;
  std::array dx{0.0, 1.0};
  const auto result = autodiff<Reverse>([](const std::array<double, 2> &a, double y) { return a[0] * a[1] * y; },
                                        Active{std::array{2.0, 5.0}}, BatchDuplicated{x, dx});
  static_assert(std::is_same_v<decltype(result.gradient), std::tuple<std::array<std::array<double, 2>, 2>, None>>);
  EXPECT_SAME(std::get<0>(result.gradient)[0][0], 15.0);
  EXPECT_SAME(std::get<0>(result.gradient)[1][1], 6.0);
  EXPECT_SAME(dx[0], 10.0);
  EXPECT_SAME(dx[1], 11.0);
}

PLUGIN_TEST(Seeds, AreTheAdjointOfTheResult) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(square, Seed{2.0}, Active{3.0}).gradient), 12.0);
  const auto result =
      autodiff<ReverseWithPrimal>(product_and_sum, Seed{std::array{1.0, 10.0}}, Active{3.0}, Active{4.0});
  EXPECT_SAME(result.primal[0], 12.0);
  EXPECT_SAME(std::get<0>(result.gradient), 14.0);
  EXPECT_SAME(std::get<1>(result.gradient), 13.0);
}

PLUGIN_TEST(Seeds, OfVectors) {
  const std::vector<double> factors{1, 10}, seed{1, 0.5};
  std::vector<double> shadow(2);
  const auto result = autodiff<ReverseWithPrimal>(multiples, Seed{seed}, Active{3.0}, Duplicated{factors, shadow});
  EXPECT_SAME(result.primal[1], 90.0);
  EXPECT_SAME(std::get<0>(result.gradient), 36.0);
  EXPECT_SAME(shadow[0], 9.0);
  EXPECT_SAME(shadow[1], 4.5);
  EXPECT_SAME(seed[1], 0.5);
}

PLUGIN_TEST(Seeds, OfAnotherShapeAreRefused) {
  const std::vector<double> factors{1, 10};
  bool refused = false;
  try {
    autodiff<Reverse>(multiples, Seed{std::vector<double>(3)}, Active{3.0}, Const{factors});
  } catch (const std::invalid_argument &error) {
    refused = std::string(error.what()).find("a result with 2 elements has a seed with 3") != std::string::npos;
  }
  EXPECT_HOLDS(refused);
}

PLUGIN_TEST(Seeds, OfEachLaneGiveRowsOfAJacobian) {
  double x = 3;
  std::array dx{0.0, 0.0};
  const std::vector<double> factors{1, 10};
  autodiff<Reverse>(multiples, Seed{std::array{std::vector{1.0, 0.0}, std::vector{0.0, 1.0}}}, BatchDuplicated{x, dx},
                    Const{factors});
  EXPECT_SAME(dx[0], 6.0);
  EXPECT_SAME(dx[1], 60.0);
}

struct Box {
  double edge;
  std::vector<double> sides;
  double scale(double factor) const { return factor * edge * sides[0]; }
};

PLUGIN_TEST(Mixed, StructsHaveAStructAsShadow) {
  const Box box{2, {3, 4}};
  Box shadow = make_zero(box);
  const auto result = autodiff<Reverse>(&Box::scale, MixedDuplicated{box, shadow}, Active{5.0});
  EXPECT_SAME(std::get<1>(result.gradient), 6.0);
  EXPECT_SAME(shadow.edge, 15.0);
  EXPECT_SAME(shadow.sides[0], 10.0);
}

} // namespace
