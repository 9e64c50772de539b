// Rules with several tangents or adjoints at once.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <vector>

using namespace assay;

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width;
struct ThreeTangents {
  double tangents[3];
};
struct TwoAdjoints {
  double adjoints[2];
};
TwoAdjoints __enzyme_autodiff_two(void *, ...);
ThreeTangents __enzyme_fwddiff_three(void *, ...);
void __enzyme_autodiff_lanes(void *, ...);
ThreeTangents __enzyme_autodiff_three(void *, ...);

namespace {

/// One lane at a time: the header repeats it.
double square(double x) {
  return x * x;
}
struct SquareRule {
  static auto forward(const auto & /*config*/, auto x) {
    return Duplicated{x.value * x.value, 20 * x.value * x.shadow()};
  }
  static auto reverse(const auto & /*config*/, auto dy, None /*tape*/, auto x) { return 20 * x.value * dy; }
};
ASSAY_RULE(SquareRule, square);

double twice_square(double x) {
  return 2 * square(x);
}

PLUGIN_TEST(RuleWidths, RepeatARuleForOneLane) {
  const ThreeTangents t =
      __enzyme_fwddiff_three(reinterpret_cast<void *>(twice_square), enzyme_width, 3, enzyme_dup, 3.0, 1.0, 2.0, 3.0);
  EXPECT_SAME(t.tangents[0], 120);
  EXPECT_SAME(t.tangents[2], 360);
  const ThreeTangents r =
      __enzyme_autodiff_three(reinterpret_cast<void *>(twice_square), enzyme_width, 3, enzyme_out, 3.0);
  EXPECT_SAME(r.tangents[1], 120);
}

/// All lanes at once; `calls` shows that nothing is repeated.
int calls = 0;
void scale(std::vector<double> &x, double factor) {
  for (double &each : x)
    each *= factor;
}
struct ScaleRule {
  static void forward(const auto &config, auto x, auto factor) {
    ++calls;
    for (const int lane : config.lanes())
      for (std::size_t i = 0; i < x.value.size(); ++i)
        x.shadow(lane)[i] = 10 * factor.value * x.shadow(lane)[i] + 10 * factor.shadow(lane) * x.value[i];
    scale(x.value, factor.value);
  }
  static auto augmented_primal(const auto & /*config*/, auto x, auto factor) {
    ++calls;
    auto before = x.value;
    scale(x.value, factor.value);
    return AugmentedReturn{None{}, None{}, std::move(before)};
  }
  static void reverse(const auto &config, const auto & /*result*/, const auto &before, auto x, auto factor) {
    ++calls;
    for (const int lane : config.lanes())
      for (std::size_t i = 0; i < before.size(); ++i) {
        factor.shadow(lane) += 10 * before[i] * x.shadow(lane)[i];
        x.shadow(lane)[i] *= 10 * factor.value;
      }
  }
};
ASSAY_RULE(ScaleRule, scale);

void scale_twice(std::vector<double> &x, double factor) {
  scale(x, factor);
  scale(x, factor);
}

PLUGIN_TEST(RuleWidths, GiveARuleAllLanesAtOnce) {
  std::vector<double> x{1, 2};
  std::vector<double> dx{1, 0};
  std::vector<double> dz{0, 1};
  calls = 0;
  (void)__enzyme_fwddiff_three(reinterpret_cast<void *>(scale_twice), enzyme_width, 2, enzyme_dup, &x, &dx, &dz,
                               enzyme_dup, 3.0, 0.0, 1.0);
  EXPECT_SAME(calls, 2);
  EXPECT_SAME(x[1], 18);
  EXPECT_SAME(dx[0], 900);
  EXPECT_SAME(dx[1], 0);
  EXPECT_SAME(dz[0], 10 * 3 * 10 * 1 + 10 * 3);
  EXPECT_SAME(dz[1], 900 + 10 * 3 * 10 * 2 + 10 * 6);
}

PLUGIN_TEST(RuleWidths, GiveReverseAllLanesAtOnce) {
  std::vector<double> x{1, 2};
  std::vector<double> first{1, 0};
  std::vector<double> second{0, 1};
  calls = 0;
  const TwoAdjoints r = __enzyme_autodiff_two(reinterpret_cast<void *>(scale_twice), enzyme_width, 2, enzyme_dup, &x,
                                              &first, &second, enzyme_out, 3.0);
  EXPECT_SAME(calls, 4);
  EXPECT_SAME(first[0], 900);
  EXPECT_SAME(second[1], 900);
  EXPECT_SAME(r.adjoints[0], 10 * 3 + 10 * 1 * 30);
  EXPECT_SAME(r.adjoints[1], 10 * 6 + 10 * 2 * 30);
}

/// Results in memory, for each lane.
std::vector<double> doubled(const std::vector<double> &x) {
  std::vector<double> y(x);
  for (double &each : y)
    each *= 2;
  return y;
}
struct DoubledRule {
  static auto forward(const auto &config, auto x) {
    return Duplicated{doubled(x.value), config.each_lane([&](int lane) {
                        auto tangent = x.shadow(lane);
                        for (double &each : tangent)
                          each *= 20;
                        return tangent;
                      })};
  }
  static void reverse(const auto &config, const auto &dy, None /*tape*/, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; i < x.value.size(); ++i)
        x.shadow(lane)[i] += 20 * dy(lane)[i];
  }
};
ASSAY_RULE(DoubledRule, doubled);

double product(const std::vector<double> &x) {
  const auto y = doubled(x);
  return y[0] * y[1];
}

PLUGIN_TEST(RuleWidths, ServeResultsInMemory) {
  const std::vector<double> x{3, 4};
  std::vector<double> first{1, 0};
  std::vector<double> second{0, 1};
  std::vector<double> third{1, 1};
  const ThreeTangents t = __enzyme_fwddiff_three(reinterpret_cast<void *>(product), enzyme_width, 3, enzyme_dup, &x,
                                                 &first, &second, &third);
  EXPECT_SAME(t.tangents[0], 160);
  EXPECT_SAME(t.tangents[1], 120);
  EXPECT_SAME(t.tangents[2], 280);
  std::vector<double> a(2);
  std::vector<double> b(2);
  __enzyme_autodiff_lanes(reinterpret_cast<void *>(product), enzyme_width, 2, enzyme_dup, &x, &a, &b);
  EXPECT_SAME(a[0], 160);
  EXPECT_SAME(b[1], 120);
}

} // namespace
