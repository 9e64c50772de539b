// Would catch: a rule that is wrong only where it branches, as a power with the exponent 0, which no random point has;
// and a choice that a rule makes where there is no derivative, taken for a fault.

#include "testutils/test/hand_subject.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace {

using namespace assay::testutils;

Signature two_numbers() {
  Signature signature;
  signature.function = "product";
  signature.parameters = {scalar("x"), scalar("y")};
  signature.result = scalar("result");
  return signature;
}

/// x y, with the derivative by x that `rule` makes of y, and a precise derivative.
class Product : public HandSubject {
public:
  explicit Product(const std::function<double(double)> &rule)
      : HandSubject(
            two_numbers(), [](Arguments &inputs) { return Values{inputs[0][0] * inputs[1][0]}; },
            [rule](const Arguments &inputs, Arguments &tangents) {
              return Values{rule(inputs[1][0]) * tangents[0][0] + inputs[0][0] * tangents[1][0]};
            },
            [rule](const Arguments &inputs, const Values &seed, Arguments &shadows) {
              shadows[0][0] += seed[0] * rule(inputs[1][0]);
              shadows[1][0] += seed[0] * inputs[0][0];
            }) {}

  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &direction) override {
    const auto along = [&](std::size_t index) { return direction[index].empty() ? 0 : direction[index][0]; };
    PreciseDerivative derivative;
    derivative.result = {{inputs[1][0] * along(0) + inputs[0][0] * along(1), 0, 0x1p-40, true}};
    derivative.contents = {{{}}, {{}}};
    derivative.roundoff = 0x1p-53;
    return derivative;
  }
};

Report checked(const std::function<double(double)> &rule, unsigned edge_samples) {
  Product subject(rule);
  CheckOptions options;
  options.edge_samples = edge_samples;
  options.find_neighbours = false;
  return check_gradients(subject, options);
}

double wrong_at_zero(double y) {
  return y == 0 ? 0.5 : y;
}

TEST(EdgePoints, FindARuleThatIsWrongWhereItBranches) {
  EXPECT_EQ(checked(wrong_at_zero, 0).failed, 0U) << "no random point is there";
  EXPECT_GT(checked(wrong_at_zero, 12).failed, 0U);
}

TEST(EdgePoints, LeaveARightRuleAlone) {
  const Report report = checked([](double y) { return y; }, 12);
  EXPECT_EQ(report.passed, report.checked);
}

TEST(EdgePoints, FindWhatIsNotFiniteWhereTheDerivativeIs) {
  const Report report = checked([](double y) { return y == 0 ? std::numeric_limits<double>::quiet_NaN() : y; }, 12);
  EXPECT_NE(report.failed, 0U);
}

/// `value` of one number with that derivative; nothing but differences to compare with.
Report checked_by_differences(const std::function<double(double)> &value,
                              const std::function<double(double)> &derivative) {
  Signature signature;
  signature.function = "f";
  signature.parameters = {scalar("x")};
  signature.result = scalar("result");
  HandSubject subject(
      signature, [=](Arguments &inputs) { return Values{value(inputs[0][0])}; },
      [=](const Arguments &inputs, Arguments &tangents) { return Values{derivative(inputs[0][0]) * tangents[0][0]}; },
      [=](const Arguments &inputs, const Values &seed, Arguments &shadows) {
        shadows[0][0] += seed[0] * derivative(inputs[0][0]);
      });
  CheckOptions options;
  options.edge_samples = 8;
  options.find_neighbours = false;
  return check_gradients(subject, options);
}

TEST(EdgePoints, FindWhatIsNotFiniteByDifferencesWhereTheFunctionIsSmooth) {
  const auto cube = [](double x) { return x * x * x; };
  EXPECT_NE(checked_by_differences(cube, [](double x) { return 3 * x * x * (x / x); }).failed, 0U);
  EXPECT_EQ(checked_by_differences(cube, [](double x) { return 3 * x * x; }).failed, 0U);
}

TEST(EdgePoints, LeaveWhatIsNotFiniteAtAKinkAlone) {
  EXPECT_EQ(
      checked_by_differences([](double x) { return std::abs(x); }, [](double x) { return x / std::abs(x); }).failed,
      0U);
}

TEST(EdgePoints, TakeEachSpecialValueWithinAFewPoints) {
  std::vector<double> seen;
  for (unsigned sample = 0; sample < 10; ++sample)
    seen.push_back(edge_inputs(two_numbers(), {}, sample << 16U)[1][0]);
  for (const double value : {0.0, 1.0, -1.0})
    EXPECT_NE(std::find(seen.begin(), seen.end(), value), seen.end()) << value;
}

/// A combination has six by default.
TEST(EdgePoints, HaveZeroAndTheNumberBeforeAmongSixWhateverTheSeed) {
  for (std::uint64_t seed = 1; seed <= 64; ++seed) {
    CheckOptions options;
    options.seed = seed;
    bool is_zero = false, is_equal = false;
    for (unsigned sample = 0; sample < 6; ++sample) {
      const Arguments inputs = edge_inputs(two_numbers(), options, sample << 16U);
      is_zero |= inputs[1][0] == 0;
      is_equal |= inputs[1][0] == inputs[0][0];
    }
    EXPECT_TRUE(is_zero && is_equal) << seed;
  }
}

TEST(EdgePoints, AreTheSameAgain) {
  EXPECT_EQ(edge_inputs(two_numbers(), {}, 3), edge_inputs(two_numbers(), {}, 3));
}

TEST(EdgePoints, HaveSpecialAndEqualNumbersWithinTheDomain) {
  Signature signature = two_numbers();
  signature.parameters[0].domain = {0.5, 2, false};
  bool is_one = false, is_zero = false, are_equal = false, is_low = false;
  for (unsigned sample = 0; sample < 64; ++sample) {
    const Arguments inputs = edge_inputs(signature, {}, sample);
    const double x = inputs[0][0], y = inputs[1][0];
    EXPECT_TRUE(x > 0.5 && x < 2) << x;
    is_one |= x == 1;
    is_low |= x == 0.5 + 1.5 / 64;
    is_zero |= y == 0;
    are_equal |= x == y;
  }
  EXPECT_TRUE(is_one && is_zero && are_equal && is_low);
}

} // namespace
