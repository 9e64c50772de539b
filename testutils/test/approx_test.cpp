// Comparing values: tolerances by type, joined with the error of what is expected; NaN, infinity, units in the last
// place; structured matrices only where they are stored.
#include <assay/eigen.hpp>
#include <assay/testing/approx.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Layer {
  std::vector<double> weight;
  float bias;
  int width;
};

TEST(Approx, NamesWhatDiffersByItsPath) {
  const auto found = differences(Layer{{1, 2}, 3, 4}, Layer{{1, 2.5}, 3, 5}, {.name = "layer"});
  ASSERT_EQ(found.rows.size(), 2U);
  EXPECT_EQ(found.rows[0].path, "layer.weight[1]");
  EXPECT_EQ(found.rows[1].path, "layer.width") << "integers are equal or not";
  EXPECT_EQ(found.compared, 4U);
  EXPECT_NE(found.text().find("layer.weight[1]  2, expected 2.5"), std::string::npos) << found.text();
}

TEST(Approx, AllowsWhatTheElementsTypeAllows) {
  EXPECT_APPROX(1 + 1e-5F, 1.0F);
  EXPECT_FALSE(differences(1 + 1e-5, 1.0).none());
  EXPECT_APPROX(1 + 1e-10, 1.0);
  EXPECT_FALSE(differences(1 + 1e-10L, 1.0L).none());
  EXPECT_APPROX(Layer({1, 2}, 3 + 1e-4F, 4), Layer({1, 2}, 3, 4));
  EXPECT_APPROX(static_cast<double>(0.1F), 0.1F) << "the coarser type says what may be expected";
}

TEST(Approx, TakesTolerancesThatAreGiven) {
  EXPECT_APPROX(1.01, 1.0, {.rtol = 0.02});
  EXPECT_FALSE(differences(1.01, 1.0, {.rtol = 0.001, .atol = 0.001}).none());
  EXPECT_APPROX(1.01, 1.0, {.atol = 0.02});
}

TEST(Approx, CountsUnitsInTheLastPlaceOfTheType) {
  const ApproxOptions exact{.rtol = 0, .atol = 0};
  const auto found = differences(std::nextafter(1.0, 2.0), 1.0, exact);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0].ulp_error, 1);
  EXPECT_EQ(differences(std::nextafter(1.0F, 2.0F), 1.0F, exact).rows[0].ulp_error, 1);
  EXPECT_TRUE(differences(std::nextafter(1.0, 2.0), 1.0, {.rtol = 0, .atol = 0, .ulps = 1}).none());
  EXPECT_FALSE(differences(1 + 3e-16, 1.0, {.rtol = 0, .atol = 0, .ulps = 0.5}).none());
}

TEST(Approx, TakesNaNsAsEqualUnlessAskedOtherwise) {
  EXPECT_TRUE(differences(nan, nan).none());
  EXPECT_FALSE(differences(nan, nan, {.nans = NaNs::unequal}).none());
  EXPECT_FALSE(differences(nan, 1.0, {.atol = infinity}).none()) << "no tolerance reaches a NaN";
  EXPECT_FALSE(differences(1.0, nan).none());
}

TEST(Approx, TakesAnInfinityAsItselfAlone) {
  EXPECT_TRUE(differences(infinity, infinity).none());
  EXPECT_FALSE(differences(infinity, -infinity).none());
  EXPECT_FALSE(differences(1e308, infinity, {.rtol = 1}).none());
}

TEST(Approx, JoinsTheErrorOfADifferenceWithTheTolerance) {
  const auto f = [](const std::vector<double> &x) { return std::sin(x[0]) * x[1]; };
  const std::vector<double> x{0.5, 2};
  const auto expected = fdm::grad(fdm::central_fdm(3, 1), f, x);
  const std::vector<double> exact{2 * std::cos(0.5), std::sin(0.5)};
  EXPECT_TRUE(differences(exact, expected, {.rtol = 0, .atol = 0}).none());
  EXPECT_FALSE(differences(exact, expected.value, {.rtol = 0, .atol = 0}).none());
  EXPECT_FALSE(differences(std::vector<double>{exact[0] * 1.001, exact[1]}, expected).none());
}

TEST(Approx, SaysWhenTheShapesDiffer) {
  const auto found = differences(std::vector<double>{1, 2}, std::vector<double>{1});
  EXPECT_FALSE(found.none());
  EXPECT_NE(found.text().find("2 and 1 numbers"), std::string::npos) << found.text();
}

TEST(Approx, ComparesStructuredMatricesWhereTheyAreStored) {
  Eigen::Matrix2d one, other;
  one << 1, 2, 3, 4;
  other << 1, 2, -99, 4;
  EXPECT_TRUE(differences(one.selfadjointView<Eigen::Upper>(), other.selfadjointView<Eigen::Upper>()).none());
  EXPECT_TRUE(differences(one.triangularView<Eigen::Upper>(), other.triangularView<Eigen::Upper>()).none());
  const auto found = differences(one, other, {.name = "m"});
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0].path, "m(1, 0)");
}

} // namespace
} // namespace assay
