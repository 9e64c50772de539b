// Results with strings beside numbers, in a program that computes with float as well.
#include "support/plugin_test.hpp"
#include <assay/autodiff.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

struct Named {
  std::string name;
  double value;
  std::vector<std::string> words;
  float half;
};
Named named(double x) {
  const std::string name = "a name that is too long for the string itself";
  return {name + "!", x * x, {name, "short"}, static_cast<float>(x / 2)};
}

PLUGIN_TEST(NamedResults, TakeASeedWithOtherStrings) {
  const Named seed{"", 1, {}, 4};
  const auto result = autodiff<ReverseWithPrimal>(named, Seed{seed}, Active{3.0});
  EXPECT_CLOSE(std::get<0>(result.gradient), 8.0);
  EXPECT_SAME(result.primal.value, 9.0);
  EXPECT_HOLDS(result.primal.name.ends_with("itself!") && result.primal.words[1] == "short");
}

PLUGIN_TEST(NamedResults, HaveATangentWithTheSameStrings) {
  const auto result = autodiff<ForwardWithPrimal>(named, Duplicated{3.0, 1.0});
  EXPECT_SAME(result.derivative.value, 6.0);
  EXPECT_SAME(result.derivative.half, 0.5F);
  EXPECT_HOLDS(result.derivative.name == result.primal.name && result.derivative.words == result.primal.words);
}

using Pairs = std::vector<std::pair<double, std::string>>;
Pairs swapped(double x) {
  Pairs result;
  result.emplace_back(x * x, "a square, and that said in more than fifteen letters");
  result.emplace_back(x, "x");
  std::swap(result[0], result[1]);
  return result;
}

PLUGIN_TEST(NamedResults, MayBeAListOfThem) {
  const Pairs seed{{0, ""}, {1, ""}};
  const auto result = autodiff<ReverseWithPrimal>(swapped, Seed{seed}, Active{3.0});
  EXPECT_SAME(std::get<0>(result.gradient), 6.0);
  EXPECT_HOLDS(result.primal[1].second.starts_with("a square") && result.primal[0].second == "x");
}

float in_another_type(float x) {
  return x * x * x;
}

PLUGIN_TEST(NamedResults, StandBesideDerivativesOfFloats) {
  EXPECT_SAME(std::get<0>(autodiff<Reverse>(in_another_type, Active{3.0F}).gradient), 27.0F);
}

} // namespace
