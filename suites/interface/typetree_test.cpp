#include <assay/to_vec.hpp>
#include <assay/typetree.hpp>
#include <complex>
#include <gtest/gtest.h>
#include <optional>

using namespace assay;

namespace {

struct Layer {
  double bias;
  int order;
  std::vector<double> weights;
  float scale[2];
};
struct Node {
  double value;
  Node *next;
};

TEST(TypeTree, ShowsScalarsAndArrays) {
  EXPECT_EQ(typetree<double>().text(), "{0: double}");
  EXPECT_EQ(typetree<int>().text(), "{0: integer}");
  EXPECT_EQ((typetree<std::array<float, 2>>().text()), "{0: float, 4: float}");
  EXPECT_EQ(typetree<std::complex<double>>().text(), "{0: double, 8: double}");
}

TEST(TypeTree, ShowsTheFieldsOfStructsAndWhatIsBehindPointers) {
  EXPECT_EQ(typetree<Layer>().text(), "{0: double, 8: integer, 16: pointer to {0: double}, 24: pointer, 32: pointer, "
                                      "40: float, 44: float}");
  EXPECT_EQ(typetree<std::span<const double>>().text(), "{0: pointer to {0: double}, 8: integer}");
  EXPECT_EQ(typetree<std::optional<double>>().text(), "{0: double, 8: integer}");
}

TEST(TypeTree, EndsInTypesThatContainThemselves) {
  EXPECT_TRUE(typetree<Node>().text().starts_with("{0: double, 8: pointer to {0: double, 8: pointer to {"));
}

TEST(TypeTree, HasTheNumbersThatTheTraversalSees) {
  EXPECT_EQ((typetree<std::tuple<int, double, std::pair<float, double>>>().count_numbers()),
            count_numbers(std::tuple<int, double, std::pair<float, double>>()));
  EXPECT_EQ((typetree<std::array<Node, 3>>().count_numbers()), count_numbers(std::array<Node, 3>()));
}

} // namespace
