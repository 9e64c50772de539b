// Arrays, vectors and spans of scalars as arguments and results.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/thunk.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace assay;

namespace {

double sum_of_squares(const std::vector<double> &x) {
  double sum = 0;
  for (double element : x)
    sum += element * element;
  return sum;
}
double span_sum_of_squares(std::span<const double> x) {
  double sum = 0;
  for (double element : x)
    sum += element * element;
  return sum;
}
double by_value(std::vector<double> x) {
  x[0] *= x[1];
  return x[0] * x[0];
}
float dot(const std::vector<float> &x, const std::vector<float> &y) {
  float sum = 0;
  for (std::size_t i = 0; i != x.size(); ++i)
    sum += x[i] * y[i];
  return sum;
}
double product(const std::array<double, 3> &x) {
  return x[0] * x[1] * x[2];
}
void squares(std::span<double> x) {
  for (double &element : x)
    element *= element;
}
void scaled_sum(std::span<const double> x, double factor, std::vector<double> &result) {
  for (std::size_t i = 0; i != x.size(); ++i)
    result[i] = factor * (x[i] + x[0]);
}
std::array<double, 2> product_and_sum(double x, double y) {
  return {x * y, x + y};
}
double through_pointer(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sum;
}

PLUGIN_TEST(Vectors, GetTheirGradientAddedIntoTheShadow) {
  std::vector<double> A{1, 2, 3}, dA(3);
  autodiff<Reverse>(sum_of_squares, Duplicated{A, dA});
  for (std::size_t i = 0; i != 3; ++i)
    EXPECT_SAME(dA[i], 2 * A[i]);
  autodiff<Reverse>(sum_of_squares, Duplicated{A, dA});
  for (std::size_t i = 0; i != 3; ++i)
    EXPECT_SAME(dA[i], 4 * A[i]);
}

PLUGIN_TEST(Vectors, GiveADirectionalDerivative) {
  const std::vector<double> x{1, 2, 3}, dx{1, 0, -1};
  const auto result = autodiff<ForwardWithPrimal>(sum_of_squares, Duplicated{x, dx});
  EXPECT_SAME(result.derivative, -4.0);
  EXPECT_SAME(result.primal, 14.0);
}

PLUGIN_TEST(Vectors, MayBeConstantBesideADuplicatedOne) {
  const std::vector<float> x{1, 2}, y{3, 4};
  std::vector<float> dx(2);
  autodiff<Reverse>(dot, Duplicated{x, dx}, Const{y});
  EXPECT_SAME(double(dx[0]), 3.0);
  EXPECT_SAME(double(dx[1]), 4.0);
}

PLUGIN_TEST(Vectors, CopiedByTheFunctionStillReachTheShadow) {
  std::vector<double> x{3, 2}, dx(2);
  autodiff<Reverse>([](const std::vector<double> &v) { return by_value(v); }, Duplicated{x, dx});
  EXPECT_SAME(dx[0], 24.0);
  EXPECT_SAME(dx[1], 36.0);
  EXPECT_SAME(x[0], 3.0);
}

PLUGIN_TEST(Vectors, OfAnotherLengthThanTheirShadowAreRefused) {
  std::vector<double> x(3), dx(2);
  bool refused = false;
  try {
    autodiff<Reverse>(sum_of_squares, Duplicated{x, dx});
  } catch (const std::invalid_argument &) {
    refused = true;
  }
  EXPECT_HOLDS(refused);
}

PLUGIN_TEST(Spans, PairOverPlainMemory) {
  double x[] = {1, 2, 3}, dx[] = {0, 0, 10};
  autodiff<Reverse>(span_sum_of_squares, Duplicated{std::span<const double>(x), std::span<double>(dx)});
  EXPECT_SAME(dx[0], 2.0);
  EXPECT_SAME(dx[2], 16.0);
}

PLUGIN_TEST(Spans, AreChangedInPlaceInBothModes) {
  std::array x{1.0, 2.0, 3.0}, dx{1.0, 1.0, 0.5};
  autodiff<Reverse>(squares, Duplicated{std::span(x), std::span(dx)});
  EXPECT_SAME(x[2], 9.0);
  EXPECT_SAME(dx[1], 4.0);
  EXPECT_SAME(dx[2], 3.0);
  std::array y{1.0, 2.0, 3.0}, dy{0.0, 1.0, 2.0};
  autodiff<Forward>(squares, Duplicated{std::span(y), std::span(dy)});
  EXPECT_SAME(y[1], 4.0);
  EXPECT_SAME(dy[1], 4.0);
  EXPECT_SAME(dy[2], 12.0);
}

PLUGIN_TEST(Spans, WithAVectorForTheResult) {
  std::array x{1.0, 2.0}, dx{0.0, 0.0};
  std::vector<double> result(2), seed{1, 1};
  const auto factor = autodiff<Reverse>(scaled_sum, Duplicated{std::span<const double>(x), std::span<double>(dx)},
                                        Active{3.0}, Duplicated{result, seed});
  EXPECT_SAME(result[1], 9.0);
  EXPECT_SAME(dx[0], 9.0);
  EXPECT_SAME(dx[1], 3.0);
  EXPECT_SAME(std::get<1>(factor.gradient), 5.0);
  EXPECT_SAME(seed[0], 0.0);
}

PLUGIN_TEST(Arrays, ActiveGiveTheirAdjointByValue) {
  const auto result = autodiff<ReverseWithPrimal>(product, Active{std::array{2.0, 3.0, 4.0}});
  EXPECT_SAME(std::get<0>(result.gradient)[0], 12.0);
  EXPECT_SAME(std::get<0>(result.gradient)[1], 8.0);
  EXPECT_SAME(std::get<0>(result.gradient)[2], 6.0);
  EXPECT_SAME(result.primal, 24.0);
}

PLUGIN_TEST(Arrays, DuplicatedReferToTheCallersObjects) {
  std::array x{2.0, 3.0, 4.0}, dx{0.0, 0.0, 1.0};
  autodiff<Reverse>(product, Duplicated{x, dx});
  EXPECT_SAME(dx[0], 12.0);
  EXPECT_SAME(dx[2], 7.0);
}

PLUGIN_TEST(Arrays, AsResultHaveAnArrayOfDerivatives) {
  const auto result = autodiff<ForwardWithPrimal>(product_and_sum, Duplicated{3.0, 1.0}, Duplicated{4.0, 0.5});
  EXPECT_SAME(result.primal[0], 12.0);
  EXPECT_SAME(result.derivative[0], 5.5);
  EXPECT_SAME(result.derivative[1], 1.5);
}

PLUGIN_TEST(Pointers, PairWithShadowPointers) {
  const double x[] = {1, 2};
  double dx[] = {0, 0};
  autodiff<Reverse>(through_pointer, Duplicated{&x[0], &dx[0]}, Const{2});
  EXPECT_SAME(dx[0], 2.0);
  EXPECT_SAME(dx[1], 4.0);
}

double times_its_square(std::vector<double> &x) {
  x.push_back(x[0] * x[0]);
  return x[0] * x.back();
}

PLUGIN_TEST(Vectors, ThatGrowWithinTheirMemoryHaveTheirDerivative) {
  std::vector<double> x{3}, dx{0};
  x.reserve(2);
  dx.reserve(2);
  autodiff<Reverse>(times_its_square, Duplicated{x, dx});
  EXPECT_SAME(dx[0], 27);
}

PLUGIN_TEST(Vectors, ThatMoveWhileTheyGrowAreRefused) {
  std::vector<double> x{3}, dx{0};
  bool is_refused = false;
  try {
    autodiff<Reverse>(times_its_square, Duplicated{x, dx});
  } catch (const std::logic_error &) {
    is_refused = true;
  }
  EXPECT_HOLDS(is_refused);
  EXPECT_SAME(autodiff<Forward>(times_its_square, Duplicated{x = {3}, dx = {1}}).derivative, 27);
}

struct Network {
  std::vector<double> weights;
  std::vector<std::vector<double>> layers;
};
double grow_weights(Network &net) {
  net.weights.push_back(net.weights[0] * net.weights[0]);
  return net.weights[0] * net.weights.back();
}
double grow_layer(Network &net) {
  net.layers[1].push_back(2 * net.layers[0][0]);
  return net.layers[1][0] * net.layers[1].back();
}
double add_layer(Network &net) {
  net.layers.push_back({3.0, 4.0});
  return net.layers[0][0] * net.layers[1][0] * net.layers[2][1];
}

bool is_refused(const auto &call) {
  try {
    call();
  } catch (const std::logic_error &error) {
    return std::string(error.what()).find("makes longer than its memory") != std::string::npos;
  }
  return false;
}
const Network net{{3}, {{1}, {5}}};

PLUGIN_TEST(Vectors, ThatMoveInsideOfObjectsAreRefused) {
  Network x = net, dx = make_zero(net);
  EXPECT_HOLDS(is_refused([&] { autodiff<Reverse>(grow_weights, Duplicated{x, dx}); }));
  x = net, dx = make_zero(net);
  EXPECT_HOLDS(is_refused([&] { autodiff<Reverse>(grow_layer, Duplicated{x, dx}); }));
}

double grow_last_layer(Network &net) {
  net.layers.back().push_back(net.layers[0][0] * net.weights[0]);
  return net.layers.back().back();
}
Network of_many_layers(double weight) {
  return {{weight}, std::vector<std::vector<double>>(30, {2.0})};
}
PLUGIN_TEST(Vectors, ThatMoveAmongManyAreRefused) {
  Network x = of_many_layers(3), dx = make_zero(x);
  EXPECT_HOLDS(is_refused([&] { autodiff<Reverse>(grow_last_layer, Duplicated{x, dx}); }));
}
double slope_among_many(double weight) {
  Network x = of_many_layers(weight), dx = of_many_layers(0);
  for (auto &layer : dx.layers)
    layer[0] = 0;
  x.layers.back().reserve(2);
  dx.layers.back().reserve(2);
  autodiff<Reverse>(grow_last_layer, Duplicated{x, dx});
  return dx.layers[0][0] * dx.weights[0];
}
PLUGIN_TEST(Vectors, AmongManyHaveTheirDerivativeAndSecondDerivatives) {
  EXPECT_SAME(slope_among_many(3.0), 6.0);
  EXPECT_SAME(autodiff<Forward>(slope_among_many, Duplicated{3.0, 1.0}).derivative, 2.0);
  EXPECT_SAME(get<0>(autodiff<Reverse>(slope_among_many, Active{3.0}).gradient), 2.0);
}

PLUGIN_TEST(Vectors, InsideOfObjectsWhoseNumbersStayHaveTheirDerivative) {
  Network x = net, dx = make_zero(net);
  x.weights.reserve(2);
  dx.weights.reserve(2);
  dx.weights.push_back(7); // no adjoint of anything
  dx.weights.pop_back();
  autodiff<Reverse>(grow_weights, Duplicated{x, dx});
  EXPECT_SAME(dx.weights[0], 27.0);
  autodiff<Reverse>(add_layer, Duplicated{x, dx});
  EXPECT_SAME(dx.layers[0][0], 20.0);
  EXPECT_SAME(dx.layers[1][0], 4.0);
}

PLUGIN_TEST(Vectors, ThatMoveInSplitModeAreRefused) {
  auto [forward, reverse] =
      autodiff_thunk<ReverseSplitNoPrimal, Active>(times_its_square, type<Duplicated<std::vector<double>>>);
  std::vector<double> x{3}, dx{0};
  EXPECT_HOLDS(is_refused([&] { forward(Duplicated{x, dx}); }));
  std::vector<double> y{3}, dy{0};
  y.reserve(2);
  dy.reserve(2);
  auto pass = forward(Duplicated{y, dy});
  reverse(Duplicated{y, dy}, 1.0, pass.tape);
  EXPECT_SAME(dy[0], 27.0);
}

double slope_of_weights(double weight) {
  Network x{{weight}, {}}, dx{{0}, {}};
  x.weights.reserve(2);
  dx.weights.reserve(2);
  autodiff<Reverse>(grow_weights, Duplicated{x, dx});
  return dx.weights[0];
}
PLUGIN_TEST(Vectors, InsideOfObjectsHaveSecondDerivatives) {
  EXPECT_SAME(autodiff<Forward>(slope_of_weights, Duplicated{3.0, 1.0}).derivative, 18.0);
  EXPECT_SAME(get<0>(autodiff<Reverse>(slope_of_weights, Active{3.0}).gradient), 18.0);
}

} // namespace
