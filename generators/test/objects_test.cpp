// Structs, choices and sizes.
#include <assay/generators.hpp>

#include "generators/test/expect_always.hpp"

namespace assay::gen {
namespace {

struct Layer {
  std::vector<double> weights;
  double bias;
  int inputs;
};

TEST(Object, IsMadeOfItsPartsAndShrinksThem) {
  const auto layers = object<Layer>(vector(real(-1, 1), 3), positive(), integer(1, 9));
  expect_always(layers, [](const Layer &layer) {
    return layer.weights.size() == 3 && layer.bias > 0 && layer.inputs >= 1 && layer.inputs <= 9;
  });
  const Layer least = simplest(layers);
  EXPECT_EQ(least.weights, std::vector<double>(3));
  EXPECT_EQ(least.bias, 1);
  EXPECT_EQ(least.inputs, 1);
}

TEST(Object, Nests) {
  struct Network {
    std::vector<Layer> layers;
    double rate;
  };
  const auto networks = object<Network>(vector(object<Layer>(vector(unit(), 2), nonzero(), fixed(2)), 1, 3), unit());
  expect_always(networks, [](const Network &network) {
    return !network.layers.empty() && network.layers.size() <= 3 && network.layers.front().inputs == 2;
  });
}

TEST(OneOf, DrawsFromEachGenerator) {
  int first = 0, second = 0;
  expect_always(one_of(real(0, 1), real(5, 6)), [&](double x) {
    ++(x <= 1 ? first : second);
    return (x >= 0 && x <= 1) || (x >= 5 && x <= 6);
  });
  EXPECT_GT(first, 50);
  EXPECT_GT(second, 50);
}

TEST(ElementOf, ShrinksToTheFirst) {
  expect_always(element_of<int>({7, 3, 5}), [](int x) { return x == 7 || x == 3 || x == 5; });
  EXPECT_EQ(simplest(element_of<int>({7, 3, 5})), 7);
  EXPECT_THROW(element_of<int>({}), std::invalid_argument);
}

TEST(Optional, IsSometimesEmptyAndShrinksToThat) {
  int empty = 0, full = 0;
  expect_always(optional(unit()), [&](const std::optional<double> &x) {
    ++(x ? full : empty);
    return !x || (*x > 0 && *x < 1);
  });
  EXPECT_GT(empty, 20);
  EXPECT_GT(full, 100);
  EXPECT_FALSE(simplest(optional(unit())));
}

TEST(Size, PrefersSmallOnesAndReachesLargeOnes) {
  int small = 0, large = 0;
  expect_always(size(2, 1000), [&](std::size_t n) {
    small += n < 10 ? 1 : 0;
    large += n > 500 ? 1 : 0;
    return n >= 2 && n <= 1000;
  });
  EXPECT_GT(small, 50);
  EXPECT_GT(large, 10);
  EXPECT_EQ(simplest(size(2, 1000)), 2);
  EXPECT_THROW(size(3, 2), std::invalid_argument);
}

} // namespace
} // namespace assay::gen
