// Results of every shape: tangents of their own type in forward mode, seeds of their own type in reverse mode, in one
// function and in two.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <complex>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace assay;

namespace {

struct Named {
  int order;
  double x;
  std::vector<double> values;
  std::string name;
};

std::optional<double> optional_square(double x) {
  return x > 0 ? std::optional(x * x) : std::nullopt;
}
std::optional<std::vector<double>> optional_vector(double x) {
  return std::vector{x, x * x};
}
std::tuple<int, double, double> mixed_tuple(double x) {
  return {3, x * x, x};
}
std::pair<double, std::vector<double>> pair_with_vector(double x) {
  return {x * x, {x, 2 * x}};
}
Named named(double x) {
  return {7, x * x, {x, 3 * x}, "a text that is too long to be kept in place"};
}
std::map<int, double> map_of_powers(double x) {
  return {{1, x}, {2, x * x}};
}
std::list<double> list_of_powers(double x) {
  return {x, x * x};
}
std::variant<int, double> number_or_integer(double x) {
  return x > 0 ? std::variant<int, double>(x * x) : std::variant<int, double>(3);
}
std::complex<double> complex_pair(double x) {
  return {x * x, 3 * x};
}

/// Derivatives of `f` at 3: the numbers of its result have these.
template <class F, std::size_t N>
void expect_derivatives(F f, const std::array<double, N> &expected) {
  const auto forward = autodiff<ForwardWithPrimal>(f, Duplicated{3.0, 1.0});
  const auto tangents = numbers_of(forward.derivative);
  EXPECT_HOLDS(numbers_of(forward.primal) == numbers_of(f(3.0)));
  EXPECT_HOLDS(tangents.size() == N);
  double sum = 0, weight = 1;
  std::vector<double> weights;
  for (std::size_t i = 0; i != N; ++i) {
    EXPECT_CLOSE(tangents[i], expected[i]);
    sum += weight * expected[i];
    weights.push_back(weight);
    weight *= -3;
  }
  auto seed = f(3.0);
  set_numbers(seed, weights);
  const auto reverse = autodiff<ReverseWithPrimal>(f, Seed{seed}, Active{3.0});
  EXPECT_HOLDS(numbers_of(reverse.primal) == numbers_of(f(3.0)));
  EXPECT_CLOSE(std::get<0>(reverse.gradient), sum);
  auto [augmented, split_reverse] = autodiff_thunk<ReverseSplitWithPrimal, Active>(f, type<Active<double>>);
  auto [tape, primal, shadow] = augmented(Active{3.0});
  EXPECT_HOLDS(numbers_of(primal) == numbers_of(f(3.0)));
  EXPECT_CLOSE(std::get<0>(split_reverse(Active{3.0}, seed, tape)), sum);
}

PLUGIN_TEST(Results, Optionals) {
  expect_derivatives(optional_square, std::array{6.0});
  expect_derivatives(optional_vector, std::array{1.0, 6.0});
}
PLUGIN_TEST(Results, TuplesAndPairs) {
  expect_derivatives(mixed_tuple, std::array{6.0, 1.0});
  expect_derivatives(pair_with_vector, std::array{6.0, 1.0, 2.0});
}
PLUGIN_TEST(Results, Structs) {
  expect_derivatives(named, std::array{6.0, 1.0, 3.0});
}
PLUGIN_TEST(Results, MapsAndLists) {
  expect_derivatives(map_of_powers, std::array{1.0, 6.0});
  expect_derivatives(list_of_powers, std::array{1.0, 6.0});
}
PLUGIN_TEST(Results, Variants) {
  expect_derivatives(number_or_integer, std::array{6.0});
}
PLUGIN_TEST(Results, ComplexNumbers) {
  expect_derivatives(complex_pair, std::array{6.0, 3.0});
}

} // namespace
