// Split mode: a forward and a reverse function with a tape between them; derivatives that are called many times.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

using namespace assay;

namespace {

double scaled_first(std::vector<double> &A, double v) {
  const double result = A[0] * v;
  A[0] = 0;
  return result;
}
double square(double x) {
  return x * x;
}
double product_of(const std::vector<double> &x, double scale) {
  double product = scale;
  for (double element : x)
    product *= std::sin(element);
  return product;
}
std::vector<double> multiples(double x, const std::vector<double> &factors) {
  std::vector<double> result;
  for (double factor : factors)
    result.push_back(factor * x * x);
  return result;
}
void squares(std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i != x.size(); ++i)
    y[i] = x[i] * x[i];
}
double *largest(double *x, int n) {
  double *best = x;
  for (int i = 1; i < n; ++i)
    if (x[i] > *best)
      best = x + i;
  return best;
}

PLUGIN_TEST(SplitMode, HasAForwardAndAReversePass) {
  std::vector<double> A{2.2}, dA{0.0};
  const double v = 3.3;
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(
      scaled_first, type<Duplicated<std::vector<double>>>, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Duplicated{A, dA}, Active{v});
  static_assert(std::is_same_v<decltype(shadow), None>);
  EXPECT_CLOSE(primal, 7.26);
  EXPECT_SAME(A[0], 0.0);
  const auto gradient = reverse(Duplicated{A, dA}, Active{v}, 1.0, tape);
  static_assert(std::is_same_v<decltype(gradient), const std::tuple<None, double>>);
  EXPECT_CLOSE(std::get<1>(gradient), 2.2);
  EXPECT_CLOSE(dA[0], 3.3);
}

PLUGIN_TEST(SplitMode, WithoutPrimalGivesNone) {
  const std::vector<double> x{1, 2};
  std::vector<double> dx(2);
  auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(
      product_of, type<Duplicated<std::vector<double>>>, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Duplicated{x, dx}, Active{3.0});
  static_assert(std::is_same_v<decltype(primal), None>);
  const auto gradient = reverse(Duplicated{x, dx}, Active{3.0}, 2.0, tape);
  EXPECT_CLOSE(std::get<1>(gradient), 2 * std::sin(1) * std::sin(2));
  EXPECT_CLOSE(dx[0], 6 * std::cos(1) * std::sin(2));
}

PLUGIN_TEST(SplitMode, HasSeveralTapesAtOnceThatAreUsedInAnyOrder) {
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(
      product_of, type<Duplicated<std::vector<double>>>, type<Active<double>>);
  using TapeType = tape_type<ReverseSplitWithPrimal, Active, decltype((product_of)), Duplicated<std::vector<double>>,
                             Active<double>>;
  std::vector<TapeType> tapes;
  std::vector<std::vector<double>> x, dx;
  for (int i = 0; i < 20; ++i) {
    x.emplace_back(std::size_t(i + 1), 0.1 * (i + 1));
    dx.emplace_back(std::size_t(i + 1));
  }
  for (std::size_t i = 0; i < 20; ++i)
    tapes.push_back(std::move(forward(Duplicated{x[i], dx[i]}, Active{2.0}).tape));
  for (std::size_t turn = 0; turn < 20; ++turn) {
    const std::size_t i = turn * 7 % 20;
    const auto gradient = reverse(Duplicated{x[i], dx[i]}, Active{2.0}, 1.0, tapes[i]);
    const double s = std::sin(x[i][0]), power = std::pow(s, double(i));
    EXPECT_CLOSE(std::get<1>(gradient), power * s);
    EXPECT_CLOSE(dx[i][0], 2 * power * std::cos(x[i][0]));
  }
}

PLUGIN_TEST(SplitMode, RefusesATapeThatWasUsed) {
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(square, type<Active<double>>);
  auto augmented = forward(Active{3.0});
  EXPECT_SAME(std::get<0>(reverse(Active{3.0}, 1.0, augmented.tape)), 6.0);
  bool refused = false;
  try {
    reverse(Active{3.0}, 1.0, augmented.tape);
  } catch (const std::logic_error &) {
    refused = true;
  }
  EXPECT_HOLDS(refused);
}

PLUGIN_TEST(SplitMode, OfAFunctionThatWritesItsResult) {
  const std::array x{1.0, 2.0};
  std::array dx{0.0, 0.0}, y{0.0, 0.0}, dy{0.0, 0.0};
  const Duplicated in{std::span<const double>(x), std::span<double>(dx)};
  const Duplicated out{std::span<double>(y), std::span<double>(dy)};
  auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal>(squares, type<Duplicated<std::span<const double>>>,
                                                                 type<Duplicated<std::span<double>>>);
  auto [tape, primal, shadow] = forward(in, out);
  EXPECT_SAME(y[1], 4.0);
  dy = {1.0, 10.0};
  reverse(in, out, tape);
  EXPECT_SAME(dx[0], 2.0);
  EXPECT_SAME(dx[1], 40.0);
}

PLUGIN_TEST(SplitMode, TakesASeedOfTheShapeOfTheResult) {
  const std::vector<double> factors{1, 10};
  std::vector<double> shadow_of_factors(2);
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(multiples, type<Active<double>>,
                                                                           type<Duplicated<std::vector<double>>>);
  auto [tape, primal, shadow] = forward(Active{3.0}, Duplicated{factors, shadow_of_factors});
  EXPECT_SAME(primal[1], 90.0);
  const auto gradient = reverse(Active{3.0}, Duplicated{factors, shadow_of_factors}, std::vector<double>{1, 0.5}, tape);
  EXPECT_SAME(std::get<0>(gradient), 36.0);
  EXPECT_SAME(shadow_of_factors[0], 9.0);
  EXPECT_SAME(shadow_of_factors[1], 4.5);
}

PLUGIN_TEST(SplitMode, ShowsTheShadowOfADuplicatedResult) {
  const std::vector<double> factors{1, 10};
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Duplicated>(multiples, type<Active<double>>,
                                                                               type<Const<std::vector<double>>>);
  auto [tape, primal, shadow] = forward(Active{3.0}, Const{factors});
  shadow[0] += 1;
  shadow[1] += 0.5;
  EXPECT_SAME(std::get<0>(reverse(Active{3.0}, Const{factors}, tape)), 36.0);
}

PLUGIN_TEST(SplitMode, GivesTheShadowOfAPointer) {
  std::array x{1.0, 5.0, 2.0}, dx{0.0, 0.0, 0.0};
  auto [forward, reverse] =
      autodiff_thunk<ReverseSplitWithPrimal, Duplicated>(largest, type<Duplicated<double *>>, type<Const<int>>);
  auto [tape, primal, shadow] = forward(Duplicated{x.data(), dx.data()}, Const{3});
  EXPECT_HOLDS(primal == &x[1]);
  EXPECT_HOLDS(shadow == &dx[1]);
  reverse(Duplicated{x.data(), dx.data()}, Const{3}, tape);
}

PLUGIN_TEST(SplitMode, ReturnsTheAdjointOfActiveObjects) {
  auto volume = [](const std::array<double, 3> &edges, double scale) { return scale * edges[0] * edges[1] * edges[2]; };
  auto [forward, reverse] =
      autodiff_thunk<ReverseSplitWithPrimal, Active>(volume, type<Active<std::array<double, 3>>>, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Active{std::array{2.0, 3.0, 4.0}}, Active{0.5});
  const auto [edges, scale] = reverse(Active{std::array{2.0, 3.0, 4.0}}, Active{0.5}, 1.0, tape);
  EXPECT_SAME(primal, 12.0);
  EXPECT_SAME(edges[2], 3.0);
  EXPECT_SAME(scale, 24.0);
}

PLUGIN_TEST(SplitMode, OfSeveralLanes) {
  const std::vector<double> x{1, 2};
  std::vector<double> dx1(2), dx2(2);
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(
      product_of, type<BatchDuplicated<std::vector<double>, std::array<std::vector<double>, 2>>>, type<Active<double>>);
  auto augmented = forward(BatchDuplicated{x, std::tie(dx1, dx2)}, Active{3.0});
  const auto gradient =
      reverse(BatchDuplicated{x, std::tie(dx1, dx2)}, Active{3.0}, std::array{1.0, 10.0}, augmented.tape);
  EXPECT_CLOSE(std::get<1>(gradient)[1], 10 * std::sin(1) * std::sin(2));
  EXPECT_CLOSE(dx2[1], 30 * std::sin(1) * std::cos(2));
}

struct Polynomial {
  double a, b;
  double operator()(double x) const { return a * x * x + b * x; }
};

PLUGIN_TEST(SplitMode, OfACallableWithAShadow) {
  Polynomial p{2, 5}, dp{0, 0};
  auto [forward, reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(Duplicated{p, dp}, type<Active<double>>);
  auto [tape, primal, shadow] = forward(Active{3.0});
  const auto gradient = reverse(Active{3.0}, 1.0, tape);
  static_assert(std::is_same_v<decltype(gradient), const std::tuple<double>>);
  EXPECT_SAME(primal, 33.0);
  EXPECT_SAME(std::get<0>(gradient), 17.0);
  EXPECT_SAME(dp.a, 9.0);
}

PLUGIN_TEST(SplitMode, TakesOptions) {
  constexpr auto mode = set_strong_zero(set_modified_between<false, true>(ReverseSplitWithPrimal));
  const std::vector<double> x{1, 2};
  std::vector<double> dx(2);
  auto [forward, reverse] =
      autodiff_deferred_thunk<mode, Active>(product_of, type<Duplicated<std::vector<double>>>, type<Active<double>>);
  auto augmented = forward(Duplicated{x, dx}, Active{3.0});
  EXPECT_CLOSE(std::get<1>(reverse(Duplicated{x, dx}, Active{3.0}, 1.0, augmented.tape)), std::sin(1) * std::sin(2));
}

PLUGIN_TEST(Thunks, OfTheOtherModesAreOneFunction) {
  auto forward = autodiff_thunk<ForwardWithPrimal, Duplicated>(square, type<Duplicated<double>>);
  for (int i = 0; i < 3; ++i) {
    const auto result = forward(Duplicated{double(i), 1.0});
    EXPECT_SAME(result.primal, double(i * i));
    EXPECT_SAME(result.derivative, double(2 * i));
  }
  auto reverse = autodiff_thunk<Reverse, Active>(square, type<Active<double>>);
  EXPECT_SAME(std::get<0>(reverse(Active{3.0}).gradient), 6.0);
}

} // namespace
