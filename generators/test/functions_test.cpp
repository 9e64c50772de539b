// Random functions as text: the same everywhere, in the precision that was asked for, with the feature where it
// belongs.
#include "generators/functions/random_function.hpp"

#include <gtest/gtest.h>

namespace assay::gen::functions {
namespace {

bool same(const RandomFunction &left, const RandomFunction &right) {
  return left.source == right.source && left.parameters.front().point == right.parameters.front().point;
}

TEST(RandomFunctions, FollowFromTheirNameAlone) {
  const FunctionName name{7, Terrain::smooth, Precision::real64, 3};
  const RandomFunction third = draw_function(name);
  static_cast<void>(draw_function({7, Terrain::smooth, Precision::real64, 2}));
  EXPECT_TRUE(same(draw_function(name), third));
  EXPECT_FALSE(same(draw_function({8, Terrain::smooth, Precision::real64, 3}), third));
  EXPECT_FALSE(same(draw_function({7, Terrain::kink, Precision::real64, 3}), third));
  EXPECT_FALSE(same(draw_function({7, Terrain::smooth, Precision::real64, 4}), third));
}

/// `double` and functions of it in float code would round once more, or less.
TEST(RandomFunctions, InFloatHaveNothingInDoubleUnlessTheyAreMixed) {
  for (const Terrain terrain : all_terrains)
    for (std::uint32_t number = 0; number < 100; ++number) {
      const RandomFunction function = draw_function({1, terrain, Precision::real32, number});
      EXPECT_EQ(function.source.find("double") != std::string::npos, terrain == Terrain::mixed) << function.source;
      for (const char *name : {"sin(", "exp(", "sqrt(", "pow(", "fabs(", "floor("})
        EXPECT_EQ(function.source.find(name), std::string::npos) << function.source;
      for (const Parameter &parameter : function.parameters)
        for (const double coordinate : parameter.point)
          EXPECT_EQ(static_cast<double>(static_cast<float>(coordinate)), coordinate);
    }
}

TEST(RandomFunctions, HaveAFeatureUnlessTheyAreSmooth) {
  for (std::uint32_t number = 0; number < 100; ++number) {
    EXPECT_EQ(draw_function({1, Terrain::smooth, Precision::real64, number}).source.find("u = x0 - "),
              std::string::npos);
    for (const Terrain terrain : all_terrains)
      if (terrain != Terrain::smooth && !is_ill_conditioned(terrain)) {
        const std::string source = draw_function({1, terrain, Precision::real64, number}).source;
        EXPECT_NE(source.find("u = x0 - "), std::string::npos) << source;
        EXPECT_NE(source.rfind('u'), source.find("u = x0 - ")) << "it is not used: " << source;
      }
  }
}

TEST(RandomFunctions, HaveTerrainsWithNames) {
  for (const Terrain terrain : all_terrains)
    EXPECT_EQ(terrain_named(name_of(terrain)), terrain);
  EXPECT_FALSE(terrain_named("flat"));
}

} // namespace
} // namespace assay::gen::functions
