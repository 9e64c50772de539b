// Shadows and seeds have the shape of their value, also deep within objects, matrices and maps; others are refused.
#include "refusal.hpp"
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <assay/eigen.hpp>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace assay;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Numbers = std::vector<double>;

struct Layer {
  Numbers weights;
  double bias = 0;
};
class Hidden {
public:
  Hidden() = default;
  Hidden(Numbers first, Numbers second) : first_(std::move(first)), second_(std::move(second)) {}
  double last() const { return first_.back() * second_.back(); }

private:
  friend auto assay_fields(Hidden &hidden) { return std::tie(hidden.first_, hidden.second_); }
  Numbers first_, second_;
};

/// The derivative of a function of a number by a seed, which is the same in both modes.
template <class R, class F>
double seeded(F f, const R &seed) {
  const double combined = std::get<0>(autodiff<Reverse>(f, Seed{seed}, Active{2.0}).gradient);
  const auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(f, type<Active<double>>);
  auto pass = forward(Active{2.0});
  EXPECT_SAME(std::get<0>(reverse(Active{2.0}, seed, pass.tape)), combined);
  return combined;
}
/// Whether both modes refuse the seed.
template <class R, class F>
bool is_refused(F f, const R &seed) {
  const std::string combined = refusal([&] { (void)autodiff<Reverse>(f, Seed{seed}, Active{2.0}); });
  const std::string split = refusal([&] {
    const auto [forward, reverse] = autodiff_thunk<ReverseSplitNoPrimal, Active>(f, type<Active<double>>);
    auto pass = forward(Active{2.0});
    (void)reverse(Active{2.0}, seed, pass.tape);
  });
  return !combined.empty() && !split.empty();
}

PLUGIN_TEST(Shapes, OfSeedsWithinContainers) {
  const auto layers = [](double x) { return std::vector<Layer>{{{x}, x}, {{x, 10 * x}, x}}; };
  EXPECT_SAME(seeded<std::vector<Layer>>(layers, {{{1}, 0}, {{1, 1}, 0}}), 12.0);
  EXPECT_HOLDS((is_refused<std::vector<Layer>>(layers, {{{1, 1}, 0}, {{1}, 0}})));
  const auto rows = [](double x) { return std::vector<Numbers>{{x}, {x, 10 * x}}; };
  EXPECT_HOLDS((is_refused<std::vector<Numbers>>(rows, {{1, 1}, {1}})));
  using Choices = std::vector<std::optional<double>>;
  const auto choices = [](double x) { return Choices{x, std::nullopt}; };
  EXPECT_HOLDS((is_refused<Choices>(choices, {std::nullopt, 1.0})));
}

PLUGIN_TEST(Shapes, OfSeedsWithPrivateMembers) {
  const auto hidden = [](double x) { return Hidden({x}, {x, 10 * x}); };
  EXPECT_SAME(seeded(hidden, Hidden({1}, {1, 1})), 12.0);
  EXPECT_HOLDS(is_refused(hidden, Hidden({1, 1}, {1})));
}

PLUGIN_TEST(Shapes, OfSeedsWithMatrices) {
  using Matrices = std::vector<MatrixXd>;
  const auto matrices = [](double x) { return Matrices{MatrixXd::Constant(1, 2, x), MatrixXd::Constant(1, 1, x)}; };
  EXPECT_SAME(seeded(matrices, Matrices{MatrixXd::Ones(1, 2), MatrixXd::Ones(1, 1)}), 3.0);
  EXPECT_HOLDS(is_refused(matrices, Matrices{MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 2)}));
  const auto pair = [](double x) { return std::pair<VectorXd, VectorXd>(VectorXd::Constant(1, x), VectorXd::Ones(2)); };
  EXPECT_HOLDS(is_refused(pair, std::pair<VectorXd, VectorXd>(VectorXd::Ones(2), VectorXd::Ones(1))));
  EXPECT_HOLDS(refusal([] {
                 (void)autodiff<Reverse>(
                     [](double x) { return std::pair<MatrixXd, double>(MatrixXd::Constant(1, 2, x), x); },
                     Seed{std::pair<MatrixXd, double>(MatrixXd::Ones(2, 1), 0)}, Active{2.0});
               }) == "assay: a result of 1 by 2 has a seed of 2 by 1");
}

PLUGIN_TEST(Shapes, OfSeedsThatAreMatricesOfObjects) {
  using Layers = Eigen::Matrix<Layer, Eigen::Dynamic, 1>;
  const auto layers = [](double x) {
    Layers result(2);
    result(0).weights = {x, x * x};
    result(1).weights = {3 * x};
    return result;
  };
  Layers right(2), wrong(2);
  right(0).weights = {1, 1};
  right(1).weights = {1};
  wrong(0).weights = {1};
  wrong(1).weights = {0, 1};
  EXPECT_SAME(seeded(layers, right), 8.0);
  EXPECT_HOLDS(is_refused(layers, wrong));
}

PLUGIN_TEST(Shapes, OfSeedsWithKeys) {
  using Map = std::map<int, double>;
  const auto map = [](double x) { return Map{{1, x}, {2, 10 * x}}; };
  EXPECT_SAME(seeded(map, Map{{1, 0}, {2, 1}}), 10.0);
  EXPECT_HOLDS(is_refused(map, Map{{5, 1}, {6, 1}}));
  using Table = std::unordered_map<int, double>;
  const auto table = [](double x) { return Table{{1, x}, {2, 10 * x}}; };
  Table seed = make_zero(table(2.0));
  seed.at(2) = 1;
  EXPECT_SAME(seeded(table, seed), 10.0);
  EXPECT_HOLDS(is_refused(table, Table{{2, 1.0}, {1, 0.0}}));
}

/// Whether a shadow of another shape is refused, and one of zeros is not.
template <class F, class T>
bool refuses_shadow(F f, const T &value, T shadow) {
  auto right = make_zero(value);
  autodiff<Reverse>(f, Duplicated{value, right});
  return !refusal([&] { autodiff<Reverse>(f, Duplicated{value, shadow}); }).empty();
}

PLUGIN_TEST(Shapes, OfShadowsWithKeys) {
  using Map = std::map<int, double>;
  Map map, backwards;
  for (int key = 1; key <= 4; ++key)
    map[key] = 1;
  for (int key = 4; key >= 1; --key)
    backwards[key] = 0;
  const auto product = [](const auto &m) { return m.at(1) * m.at(4); };
  EXPECT_HOLDS(refuses_shadow(product, map, backwards)); // another tree
  EXPECT_HOLDS(refuses_shadow(product, map, Map{{5, 0}, {6, 0}, {7, 0}, {8, 0}}));
  using Table = std::unordered_map<int, double>;
  Table wide(1000), turned;
  for (int key = 1; key <= 4; ++key) {
    wide[key] = 0;
    turned[5 - key] = 0;
  }
  EXPECT_HOLDS(refuses_shadow(product, Table(map.begin(), map.end()), wide));
  EXPECT_HOLDS(refuses_shadow(product, Table(map.begin(), map.end()), turned));
}

PLUGIN_TEST(Shapes, OfShadowsThatHideTheirMembers) {
  const auto last = [](const Hidden &hidden) { return hidden.last(); };
  EXPECT_HOLDS(refuses_shadow(last, Hidden({1}, {1, 10}), Hidden({0}, {0})));
}

PLUGIN_TEST(Shapes, OfShadowsOfMapsAndSparseVectors) {
  Numbers numbers(3, 1.0), by_numbers(3);
  using Map = Eigen::Map<VectorXd>;
  Map map(numbers.data(), 3), by_map(by_numbers.data(), 2);
  EXPECT_HOLDS(!refusal([&] {
                  autodiff<Reverse>([](const Map &x) { return x.squaredNorm(); }, Duplicated{map, by_map});
                }).empty());
  Eigen::SparseVector<double> sparse(4), other(4);
  sparse.insert(1) = 3;
  other.insert(2) = 0;
  EXPECT_HOLDS(refuses_shadow([](const auto &x) { return x.squaredNorm(); }, sparse, other));
}

} // namespace
