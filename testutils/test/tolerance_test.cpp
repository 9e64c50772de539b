// Tolerances of single elements.

#include "testutils/judgement.hpp"
#include "testutils/tolerance.hpp"

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

Signature network() {
  Parameter layers;
  layers.name = "x";
  layers.extents = {3};
  layers.passing = Passing::buffer;
  layers.element_paths = {"x.layers[0].weight[0]", "x.layers[1].weight[0]", "x.layers[1].bias"};
  layers.element_types = {ElementType::double_precision, ElementType::double_precision, ElementType::single_precision};
  Parameter result;
  result.name = "result";
  return {"f", {layers}, result};
}

TEST(Tolerance, APatternNamesAnElementAndAllThatItIsAPartOf) {
  EXPECT_TRUE(names("x.layers[*].weight", "x.layers[1].weight[0]"));
  EXPECT_TRUE(names("x.layers[1]", "x.layers[1].weight[0]"));
  EXPECT_TRUE(names("x", "x.layers[1].weight[0]"));
  EXPECT_TRUE(names("x.lay*", "x.layers[1].bias"));
  EXPECT_TRUE(names("w(*, 0)", "w(12, 0)"));
  EXPECT_TRUE(names("head->value", "head->value"));
  EXPECT_TRUE(names("head", "head->value"));
}

TEST(Tolerance, APatternNamesNothingElse) {
  EXPECT_FALSE(names("x.layers[*].weight", "x.layers[1].weights[0]"));
  EXPECT_FALSE(names("x.layers[1]", "x.layers[10].bias"));
  EXPECT_FALSE(names("x.layers[1", "x.layers[1].bias"));
  EXPECT_FALSE(names("x.*", "y.layers"));
  EXPECT_FALSE(names("*", "x.layers") && names("x*bias", "x.layers[1].bias")); // A star stays within one step.
  EXPECT_FALSE(names("", "x"));
}

TEST(Tolerance, TheLastRuleThatFitsCountsAndAbsentPartsFallThrough) {
  Tolerance tolerance;
  tolerance.relative = 1e-5;
  tolerance.rules = {{"x", 1e-2, std::nullopt}, {"float", std::nullopt, 1e-3}, {"x.layers[*].weight", 1e-7, 1e-8}};
  const Tolerance weight = tolerance_at(tolerance, network(), {0, 1, 0}),
                  bias = tolerance_at(tolerance, network(), {0, 2, 0}),
                  result = tolerance_at(tolerance, network(), {std::nullopt, 0, 0});
  EXPECT_EQ(weight.absolute, 1e-7);
  EXPECT_EQ(weight.relative, 1e-8);
  EXPECT_EQ(bias.absolute, 1e-2);
  EXPECT_EQ(bias.relative, 1e-3);
  EXPECT_FALSE(result.absolute);
  EXPECT_EQ(result.relative, 1e-5);
}

TEST(Tolerance, TheOraclesErrorJoinsThatOfTheElement) {
  Signature signature = network();
  signature.parameters[0].element_types.clear();
  Tolerance tolerance;
  tolerance.absolute = tolerance.relative = 1e-12;
  tolerance.rules = {{"x.layers[1]", 1e-3, std::nullopt}};
  const Guess guess{.value = 1, .error = 1e-4};
  const auto judged = [&](std::size_t element, double seen) {
    return compare(signature, tolerance, {{0, element, 0}, guess, 1}, seen, 0, 1);
  };
  EXPECT_EQ(judged(1, 1 + 9e-4).agreement, Agreement::agrees);      // within the element's tolerance
  EXPECT_EQ(judged(0, 1 + 9e-4).agreement, Agreement::differs);     // of the general one it is beyond
  EXPECT_EQ(judged(1, 1 + 1.2e-3).agreement, Agreement::undecided); // within both together
  EXPECT_EQ(judged(1, 1 + 1.4e-3).agreement, Agreement::differs);
}

TEST(Tolerance, ARuleThatFitsNothingIsAnErrorThatNamesWhatThereIs) {
  Tolerance tolerance;
  tolerance.rules = {{"x.layers[*].wieght", 1e-3, std::nullopt}};
  try {
    require_fitting_rules(tolerance, network());
    FAIL() << "no error";
  } catch (const std::invalid_argument &error) {
    EXPECT_STREQ(error.what(), "tolerances: no element of f is called 'x.layers[*].wieght' or has that type; there are "
                               "x.layers[0].weight[0], x.layers[1].weight[0], x.layers[1].bias, result");
  }
}

} // namespace
} // namespace assay::testutils
