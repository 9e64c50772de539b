#include <assay/make_zero.hpp>
#include <gtest/gtest.h>

#include <map>

using namespace assay;

namespace {

TEST(MakeZero, KeepsTheShapeAndForgetsTheNumbers) {
  EXPECT_EQ(make_zero(3.0), 0.0);
  EXPECT_EQ(make_zero(std::vector<double>{1, 2}), (std::vector<double>{0, 0}));
  EXPECT_EQ(make_zero(std::array{1.0f, 2.0f}), (std::array{0.0f, 0.0f}));
  EXPECT_EQ(make_zero(std::vector<std::vector<double>>{{1}, {2, 3}}), (std::vector<std::vector<double>>{{0}, {0, 0}}));
}

TEST(MakeZero, KeepsIntegersBecauseTheyAreNotDifferentiated) {
  EXPECT_EQ(make_zero(std::vector<int>{1, 2}), (std::vector<int>{1, 2}));
  EXPECT_EQ(make_zero(std::tuple{7, 1.5}), (std::tuple{7, 0.0}));
}

struct Fixed {
  double x;
  const double rate;
  const std::vector<double> table;
};

TEST(MakeZero, IsZeroInConstantMembersToo) {
  // A shadow that kept them would be a tangent that the function reads.
  const Fixed zero = make_zero(Fixed{1, 2, {3, 4}});
  EXPECT_EQ(zero.x, 0);
  EXPECT_EQ(zero.rate, 0);
  EXPECT_EQ(zero.table, (std::vector<double>{0, 0}));
}

TEST(MakeZero, KeepsTheKeysOfMaps) {
  EXPECT_EQ(make_zero(std::map<double, double>{{1, 2}}), (std::map<double, double>{{1, 0}}));
}

TEST(MakeZero, OfASpanOwnsItsStorage) {
  const std::array x{1.0, 2.0};
  EXPECT_EQ(make_zero(std::span(x)), (std::vector<double>{0, 0}));
}

TEST(MakeZero, LeavesAnEmptyOptionalEmpty) {
  EXPECT_EQ(make_zero(std::optional<double>{}), std::nullopt);
  EXPECT_EQ(make_zero(std::optional{2.0}), std::optional{0.0});
}

TEST(SetZero, WorksInPlace) {
  std::vector<double> x{1, 2};
  const double *storage = x.data();
  set_zero(x);
  EXPECT_EQ(x, (std::vector<double>{0, 0}));
  EXPECT_EQ(x.data(), storage);
}

} // namespace
