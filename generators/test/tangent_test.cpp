// Would catch: a tangent of another shape than its value, and numbers that depend on anything but the stream.
#include <assay/generators/tangent.hpp>
#include <assay/to_vec.hpp>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace assay::gen {
namespace {

struct FixedRateLayer {
  std::vector<double> weight;
  float bias;
  int width;
  const double rate;
};

FixedRateLayer layer() {
  return {{1, 2, 3}, 4, 3, 0.5};
}

TEST(RandomTangent, HasTheShapeOfTheValueAndIsZeroWhereItIsConstant) {
  Stream stream({.seed = 5, .name = "layer"});
  const FixedRateLayer tangent = random_tangent(layer(), stream);
  EXPECT_EQ(tangent.weight.size(), 3U);
  EXPECT_EQ(tangent.width, 3);
  EXPECT_EQ(tangent.rate, 0);
  EXPECT_NE(tangent.weight[0], tangent.weight[1]);
}

TEST(RandomTangent, IsMadeOfDecimalsThatReadWell) {
  Stream stream({.seed = 5, .name = "layer"});
  for (const double number : numbers_of(random_tangent(std::vector<double>(200), stream))) {
    EXPECT_EQ(number, std::round(number * 100) / 100);
    EXPECT_NE(number, 0);
    EXPECT_LE(std::fabs(number), 9);
  }
}

TEST(RandomTangent, IsAFunctionOfTheStreamAlone) {
  Stream one({.seed = 5, .name = "a"}), same({.seed = 5, .name = "a"}), other({.seed = 6, .name = "a"});
  const auto numbers = numbers_of(random_tangent(layer(), one));
  EXPECT_EQ(numbers, numbers_of(random_tangent(layer(), same)));
  EXPECT_NE(numbers, numbers_of(random_tangent(layer(), other)));
}

TEST(RandomTangent, OfSharedMemoryIsShared) {
  const auto buffer = std::make_shared<std::vector<double>>(std::vector<double>{1, 2});
  Stream stream({.seed = 5, .name = "shared"});
  const auto tangent = random_tangent(std::pair(buffer, buffer), stream);
  EXPECT_EQ(tangent.first, tangent.second);
  EXPECT_NE(tangent.first, buffer);
}

} // namespace
} // namespace assay::gen
