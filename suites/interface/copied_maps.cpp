// Forward mode and reverse mode, and first and second derivatives, in one file, of functions that copy structs with
// maps and alternatives. They were refused where the shadows' numbers, whose addresses the interface keeps, had told
// their types of each other's places.
#include <assay/autodiff.hpp>
#include <assay/gradient.hpp>
#include <assay/hessian.hpp>

#include "support/plugin_test.hpp"

#include <array>
#include <complex>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace copied_maps {

struct World {
  std::vector<double> positions;
  double mass = 2;
  std::unordered_map<int, double> charges;
};
static double energy(const World &world) {
  World copy = world;
  return copy.mass * copy.mass;
}

PLUGIN_TEST(CopiedMaps, ForwardThenReverse) {
  World world{{1, 2}, 2, {{7, 3.}}};
  const World forward = assay::gradient<assay::Forward>(energy, world);
  EXPECT_CLOSE(forward.mass, 4);
  EXPECT_CLOSE(forward.charges.at(7), 0);
  const World reverse = assay::gradient<assay::Reverse>(
      [](const World &whole) {
        World copy = whole;
        copy.mass *= copy.charges.at(7);
        return copy.mass + copy.positions[1];
      },
      world);
  EXPECT_CLOSE(reverse.mass, 3);
  EXPECT_CLOSE(reverse.charges.at(7), 2);
  EXPECT_CLOSE(reverse.positions[1], 1);
}

struct Net {
  std::vector<double> weights;
  std::map<std::string, double> settings;
};
static double loss(const Net &net) {
  double total = 0;
  for (double weight : net.weights)
    total += weight * weight;
  return total * net.settings.at("decay");
}

PLUGIN_TEST(CopiedMaps, HessianBesideGradient) {
  Net net{{1, 2}, {{"decay", .5}, {"momentum", 2}}};
  const auto scaled = [](const Net &whole) {
    Net copy = whole;
    copy.weights[0] *= 2;
    return loss(copy);
  };
  const auto second = assay::hessian<assay::Chunk<2>>(scaled, net);
  EXPECT_CLOSE(second(0, 0), 4);
  EXPECT_CLOSE(second(1, 1), 1);
  EXPECT_CLOSE(second(0, 2), 8);
  const Net first = assay::gradient<assay::Reverse>(scaled, net);
  EXPECT_CLOSE(first.weights[0], 4);
  EXPECT_CLOSE(first.settings.at("decay"), 8);
  EXPECT_CLOSE(first.settings.at("momentum"), 0);
}

struct Result {
  std::optional<double> product;
  std::variant<int, double> sine;
  std::array<std::pair<double, float>, 2> pairs;
};
static Result choose(const std::vector<double> &x, double t) {
  Result result;
  if (x[0] > 0)
    result.product = x[0] * t;
  result.sine = x[1] * x[1];
  result.pairs[0] = {t, float(x[0] * 2)};
  return result;
}
struct Alternatives {
  double factor;
  std::optional<double> other;
  std::variant<double, std::array<double, 2>> last;
  int count;
};
static double act(Alternatives p, std::complex<double> z, std::array<float, 2> f) {
  double sum = p.factor * p.count;
  if (p.other)
    sum *= *p.other;
  if (auto *two = std::get_if<1>(&p.last))
    sum += (*two)[0] * (*two)[1];
  else
    sum += std::get<0>(p.last);
  return sum * std::norm(z) + f[0] * f[1];
}

PLUGIN_TEST(CopiedMaps, HessianOfAlternativesBesideSeededResult) {
  std::vector<double> x{.5, .75}, adjoint(2);
  Result seed = choose(x, 1.5);
  seed.product = 2.;
  seed.sine = 4.;
  seed.pairs[0] = {1, 3};
  seed.pairs[1] = {0, 0};
  const auto result =
      assay::autodiff<assay::Reverse>(choose, assay::Seed{seed}, assay::Duplicated{x, adjoint}, assay::Active{1.5});
  EXPECT_CLOSE(adjoint[0], 2 * 1.5 + 3 * 2);
  EXPECT_CLOSE(adjoint[1], 4 * 2 * .75);
  EXPECT_CLOSE(std::get<1>(result.gradient), 2 * .5 + 1);
  Alternatives p{2, {}, std::array{4., 5.}, 2};
  const auto second =
      assay::hessian<assay::Chunk<2>>([](const Alternatives &q) { return act(q, {1, 2}, {2, 3}) * q.factor; }, p);
  EXPECT_CLOSE(second(0, 0), 2 * 2 * 5);
  EXPECT_CLOSE(second(0, 1), 5 * 5);
  EXPECT_CLOSE(second(1, 2), 2 * 5);
}

} // namespace copied_maps
