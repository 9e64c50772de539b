// Rules of functions whose results travel in registers, with something beside their numbers.
//
// Would catch: adjoints that say of a result with a number that there is none, and that its integers are zero.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

using namespace assay;

namespace {

std::optional<double> logarithm(double x) {
  return x > 0 ? std::optional(std::log(x)) : std::nullopt;
}
struct LogarithmRule {
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes())
      if (dy(lane))
        x.shadow(lane) += *dy(lane) / x.value;
  }
};
ASSAY_RULE(LogarithmRule, logarithm);

struct Counted {
  double value;
  long count;
};
Counted counted(double x) {
  return {x * x, x > 0 ? 3 : 5};
}
struct CountedRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{counted(x.value), None{}, std::make_unique<double>(2 * x.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &slope, auto x) {
    for (const int lane : config.lanes())
      x.shadow(lane) += dy(lane).count == counted(x.value).count ? *slope * dy(lane).value : NAN;
  }
};
ASSAY_RULE(CountedRule, counted);

std::pair<double, int> split(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return {mantissa, exponent};
}
struct SplitRule {
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes())
      x.shadow(lane) += std::ldexp(dy(lane).first, -dy(lane).second);
  }
};
ASSAY_RULE(SplitRule, split);

double with_logarithm(double x) {
  const auto y = logarithm(x);
  return y ? *y * x : x;
}

PLUGIN_TEST(SmallResults, OptionalsAreThereInTheAdjoint) {
  EXPECT_CLOSE(gradient<Reverse>(with_logarithm, 2.0), std::log(2.0) + 1);
  EXPECT_CLOSE(gradient<Reverse>(with_logarithm, -2.0), 1.0);
  EXPECT_CLOSE(hessian(with_logarithm, 2.0)(0, 0), 0.5);
}

PLUGIN_TEST(SmallResults, IntegersOfTheAdjointAreThoseOfTheValue) {
  const auto in_loop = [](double x) {
    double sum = 0;
    for (int i = 1; i < 4; ++i) {
      const Counted y = counted(i % 2 == 0 ? x : -x);
      sum += y.value * double(y.count) * x;
    }
    return sum;
  };
  EXPECT_CLOSE(gradient<Reverse>(in_loop, 2.0), 3 * 4.0 * 13);
  double x = 2;
  std::array<double, 2> dx{};
  autodiff<Reverse>(in_loop, Seed{std::array{1.0, 2.0}}, BatchDuplicated{x, std::tie(dx[0], dx[1])});
  EXPECT_CLOSE(dx[1], 2 * 3 * 4.0 * 13);
}

PLUGIN_TEST(SmallResults, PairsOfANumberAndAnInteger) {
  EXPECT_CLOSE(gradient<Reverse>([](double x) { return split(x).first * split(x).second; }, 6.0), 3.0 / 8);
}

} // namespace
