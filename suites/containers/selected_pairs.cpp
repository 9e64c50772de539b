// Pairs of floats that are compared by either half and then exchanged as words, in a tree of owning pointers: an access
// may begin in the middle of a word, though nothing tells that it does.
#include "support/convention.hpp"
#include "support/plugin_test.hpp"
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace {

using Points = std::vector<std::pair<float, float>>;

struct Region {
  float split = 0;
  std::unique_ptr<Region> below, above;
  Points points;
};

std::unique_ptr<Region> divided(Points points, bool by_second) {
  auto region = std::make_unique<Region>();
  if (points.size() <= 2) {
    region->points = std::move(points);
    return region;
  }
  const auto middle = points.begin() + long(points.size() / 2);
  std::nth_element(points.begin(), middle, points.end(), [by_second](const auto &one, const auto &other) {
    return by_second ? one.second < other.second : one.first < other.first;
  });
  region->split = by_second ? middle->second : middle->first;
  region->below = divided({points.begin(), middle}, !by_second);
  region->above = divided({middle, points.end()}, !by_second);
  return region;
}

/// Each coordinate is a multiple of x: so is each product of two.
double sum_of(const Region &region) {
  double sum = 0;
  for (const auto &[first, second] : region.points)
    sum += double(first) * second;
  if (region.below)
    sum += sum_of(*region.below) + sum_of(*region.above);
  return sum;
}

double of_tree(double x) {
  Points points;
  for (int i = 0; i < 11; ++i)
    points.emplace_back(float(x * (i * 4 % 11)), float(x * (i * 7 % 11)));
  return sum_of(*divided(std::move(points), true));
}

double factor() {
  double sum = 0;
  for (int i = 0; i < 11; ++i)
    sum += (i * 4 % 11) * (i * 7 % 11);
  return sum;
}

} // namespace

PLUGIN_TEST(SelectedPairs, AreComparedByEitherHalf) {
  for (int run = 0; run < 3; ++run) {
    EXPECT_CLOSE(__enzyme_autodiff<double>((void *)of_tree, 0.5), factor());
    EXPECT_CLOSE(__enzyme_fwddiff<double>((void *)of_tree, 0.5, 1.0), factor());
  }
}
