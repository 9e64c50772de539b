// Would catch: a small gradient with the wrong sign, or at odds with itself, that the absolute tolerance lets pass, a
// right one that fails because numbers cancel, and a pass where nothing was there to compare.

#include "testutils/finding.hpp"
#include "testutils/test/hand_subject.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace assay::testutils;
using assay::testutils::buffer;

/// `value` of one number, whose derivative is given.
HandSubject of_one(const std::function<double(double)> &value, const std::function<double(double)> &derivative) {
  Signature signature;
  signature.function = "f";
  signature.parameters = {scalar("x")};
  signature.result = scalar("result");
  return {
      signature, [=](Arguments &inputs) { return Values{value(inputs[0][0])}; },
      [=](const Arguments &inputs, Arguments &tangents) { return Values{derivative(inputs[0][0]) * tangents[0][0]}; },
      [=](const Arguments &inputs, const Values &seed, Arguments &shadows) {
        shadows[0][0] += seed[0] * derivative(inputs[0][0]);
      }};
}

Verdict verdict_of(HandSubject subject, const CheckOptions &options = {}) {
  Verdict worst = Verdict::pass;
  for (const Record &record : check_gradients(subject, options).records)
    if (record.verdict != Verdict::pass)
      worst = record.verdict;
  return worst;
}

double square(double x) {
  return x * x;
}

TEST(Scale, AWrongSignIsFoundHoweverSmallTheGradientIs) {
  for (const double scale : {1.0, 1e-12, 1e-23, 1e-150}) {
    const auto value = [=](double x) { return scale * square(x); };
    EXPECT_EQ(verdict_of(of_one(value, [=](double x) { return 2 * scale * x; })), Verdict::pass) << scale;
    EXPECT_EQ(verdict_of(of_one(value, [=](double x) { return -2 * scale * x; })), Verdict::wrong_derivative) << scale;
  }
}

TEST(Scale, AnAbsoluteToleranceThatIsGivenStaysAbsolute) {
  CheckOptions options;
  options.tolerance.absolute = 1e-9;
  const auto wrong = of_one([](double x) { return 1e-23 * square(x); }, [](double x) { return -2e-23 * x; });
  EXPECT_EQ(verdict_of(wrong, options), Verdict::nothing_compared);
}

TEST(Scale, RoundingWhereNumbersCancelIsNoFault) {
  const auto residual = of_one([](double x) { return std::sqrt(1 + x * x) * std::sqrt(1 + x * x) - x * x - 1; },
                               [](double x) { return 1e-16 * std::cos(1e3 * x); });
  EXPECT_EQ(outcome_of(verdict_of(residual)), Outcome::undecided);
}

/// x y with a third argument that it does not use, of whose derivative `noise` is left.
HandSubject product_with_noise(double scale, double noise) {
  Signature signature;
  signature.function = "product";
  signature.parameters = {buffer("x", {3})};
  signature.result = scalar("result");
  return {signature, [=](Arguments &inputs) { return Values{scale * inputs[0][0] * inputs[0][1]}; },
          [=](const Arguments &inputs, Arguments &tangents) {
            const Values &x = inputs[0], &v = tangents[0];
            return Values{scale * (x[1] * v[0] + x[0] * v[1]) + noise * v[2]};
          },
          [=](const Arguments &inputs, const Values &seed, Arguments &shadows) {
            shadows[0][0] += seed[0] * scale * inputs[0][1];
            shadows[0][1] += seed[0] * scale * inputs[0][0];
            shadows[0][2] += seed[0] * noise;
          }};
}

TEST(Scale, AZeroMayBeWhatRoundingLeavesBesideLargerNumbers) {
  EXPECT_EQ(verdict_of(product_with_noise(1, 1e-17)), Verdict::pass);
  EXPECT_EQ(verdict_of(product_with_noise(1e-23, 1e-40)), Verdict::pass);
  EXPECT_EQ(verdict_of(product_with_noise(1, 1e-3)), Verdict::wrong_derivative);
}

/// scale times the sum of the squares of x[3]; forward and reverse mode each give `factor` times the derivative, where
/// the factor of reverse mode may follow from the seed and from what a shadow holds at entry.
HandSubject sum_of_squares(double scale, double forward_factor,
                           const std::function<double(double seed, double held)> &reverse_factor) {
  Signature signature;
  signature.function = "sum_of_squares";
  signature.parameters = {buffer("x", {3})};
  signature.result = scalar("result");
  const auto dot = [=](const Values &a, const Values &b) { return scale * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]); };
  return {signature, [=](Arguments &inputs) { return Values{dot(inputs[0], inputs[0])}; },
          [=](const Arguments &inputs, Arguments &tangents) {
            return Values{2 * forward_factor * dot(inputs[0], tangents[0])};
          },
          [=](const Arguments &inputs, const Values &seed, Arguments &shadows) {
            for (std::size_t index = 0; index < 3; ++index)
              shadows[0][index] += 2 * scale * reverse_factor(seed[0], shadows[0][index]) * inputs[0][index] * seed[0];
          }};
}

double always_right(double, double) {
  return 1;
}

constexpr double scales[]{1.0, 1e-6, 1e-12, 1e-23, 1e-150};

/// The check that fails first in reverse mode; empty: none does.
std::string failing_check(HandSubject subject) {
  CheckOptions options;
  options.modes = {Mode::reverse};
  for (const Record &record : check_gradients(subject, options).records)
    if (outcome_of(record.verdict) == Outcome::failed)
      return record.check;
  return "";
}

TEST(Scale, RightDerivativesPassHoweverSmallTheyAre) {
  for (const double scale : scales)
    EXPECT_EQ(verdict_of(sum_of_squares(scale, 1, always_right)), Verdict::pass) << scale;
}

TEST(Scale, AWrongSignInMemoryIsFoundHoweverSmallTheGradientIs) {
  for (const double scale : scales)
    EXPECT_NE(failing_check(sum_of_squares(scale, 1, [](double, double) { return -1; })), "") << scale;
}

TEST(Scale, ModesThatDisagreeAreFoundHoweverSmallTheGradientIs) {
  for (const double scale : scales)
    EXPECT_EQ(failing_check(sum_of_squares(scale, 1.001, always_right)), "forward against reverse") << scale;
}

TEST(Scale, WrongAccumulationIsFoundHoweverSmallTheGradientIs) {
  for (const double scale : scales) {
    const auto doubled = [](double, double held) { return held == 0 ? 1 : 2; };
    EXPECT_NE(failing_check(sum_of_squares(scale, 1, doubled)), "") << scale;
  }
}

TEST(Scale, LinearityIsCheckedHoweverSmallTheGradientIs) {
  Signature signature;
  signature.function = "f";
  signature.parameters = {buffer("x", {2})};
  signature.result = scalar("result");
  const Combination combination{Mode::reverse, Activity::active, {Activity::duplicated}};
  const auto outcome = [](double first, double second) {
    return DerivativeOutcome{{}, {}, {}, {{{first, second}}}, {}};
  };
  for (const double scale : {1.0, 1e-12, 1e-23}) {
    const DerivativeOutcome base = outcome(scale, 3 * scale);
    EXPECT_EQ(check_linearity(signature, base, outcome(-2 * scale, -6 * scale), -2, combination, {}).verdict,
              Verdict::pass)
        << scale;
    EXPECT_EQ(check_linearity(signature, base, outcome(-2 * scale, -6.001 * scale), -2, combination, {}).verdict,
              Verdict::wrong_derivative)
        << scale;
  }
}

TEST(NothingCompared, IsTheVerdictOnAConstantFunction) {
  const auto constant = of_one([](double) { return 3.0; }, [](double) { return 0.0; });
  EXPECT_EQ(verdict_of(constant), Verdict::nothing_compared);
  EXPECT_EQ(outcome_of(Verdict::nothing_compared), Outcome::undecided);
  EXPECT_EQ(name_of(Verdict::nothing_compared), "nothing was compared");
}

TEST(NothingCompared, IsNotTheVerdictOnAnInputThatIsNotUsed) {
  EXPECT_EQ(verdict_of(product_with_noise(1, 0)), Verdict::pass);
  Signature signature;
  signature.function = "first";
  signature.parameters = {scalar("x"), scalar("unused")};
  signature.result = scalar("result");
  const HandSubject first(
      signature, [](Arguments &inputs) { return Values{inputs[0][0]}; },
      [](const Arguments &, Arguments &tangents) { return Values{tangents[0][0]}; },
      [](const Arguments &, const Values &seed, Arguments &shadows) { shadows[0][0] += seed[0]; });
  EXPECT_EQ(verdict_of(first), Verdict::pass);
}

TEST(NothingCompared, IsNotTheVerdictAtPointsThatAreGiven) {
  CheckOptions options;
  options.points = {{{2.0}}};
  EXPECT_EQ(verdict_of(of_one([](double) { return 3.0; }, [](double) { return 0.0; }), options), Verdict::pass);
}

TEST(NothingCompared, IsNotTheVerdictWhereOnePointSaysSomething) {
  CheckOptions options;
  options.samples = 8;
  const auto rectified = of_one([](double x) { return x > 1 ? x : 0.0; }, [](double x) { return x > 1 ? 1.0 : 0.0; });
  EXPECT_EQ(verdict_of(rectified, options), Verdict::pass);
}

} // namespace
