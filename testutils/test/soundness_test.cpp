// Right derivatives never fail; where finite differences cannot tell, the verdict is undecided.

#include "testutils/test/subjects.hpp"
#include <assay/testing/message.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

void expect_all_pass(Subject &subject, unsigned seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CheckOptions options;
    options.seed = seed;
    const Report report = check_gradients(subject, options);
    EXPECT_GT(report.checked, 0U);
    for (const Record &record : report.records)
      EXPECT_EQ(record.verdict, Verdict::pass) << failure_message(report.signature, record);
  }
}

TEST(Soundness, RightDerivativesPassAtManySeeds) {
  HandSubject subjects[] = {product(), weighted_squares(5), update(), matrix_times_vector()};
  for (HandSubject &subject : subjects)
    expect_all_pass(subject, 25);
}

TEST(Soundness, RightDerivativesOfSmoothFunctionsPassAtManySeeds) {
  HandSubject subjects[] = {
      unary(
          "exp", [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }),
      unary(
          "sin 20 x", [](double x) { return std::sin(20 * x); }, [](double x) { return 20 * std::cos(20 * x); }),
      unary(
          "large", [](double x) { return 1e8 * x * x * x; }, [](double x) { return 3e8 * x * x; }),
      unary(
          "small", [](double x) { return 1e-8 * std::cos(x); }, [](double x) { return -1e-8 * std::sin(x); }),
      unary(
          "offset", [](double x) { return 1e6 + x * x; }, [](double x) { return 2 * x; }),
      unary("tanh", [](double x) { return std::tanh(x); }, [](double x) { return 1 - std::tanh(x) * std::tanh(x); })};
  for (HandSubject &subject : subjects)
    expect_all_pass(subject, 40);
}

TEST(Soundness, LargeInputsPass) {
  HandSubject subject = weighted_squares(500);
  expect_all_pass(subject, 2);
}

TEST(Soundness, BatchesPassAtManyWidths) {
  HandSubject subject = update();
  CheckOptions options;
  options.widths = {1, 2, 3, 8};
  const Report report = check_gradients(subject, options);
  EXPECT_EQ(report.failed, 0U);
  EXPECT_EQ(report.undecided, 0U);
}

TEST(Soundness, DomainsKeepPointsAndStencilsInside) {
  HandSubject logarithm = unary(
      "log", [](double x) { return x > 0 ? std::log(x) : throw SubjectError("outside the domain"); },
      [](double x) { return 1 / x; });
  Signature signature = logarithm.signature();
  signature.parameters[0].domain = {0, 1e-2, false};
  HandSubject bounded(
      signature, [](Arguments &x) { return Values{x[0][0] > 0 ? std::log(x[0][0]) : throw SubjectError("outside")}; },
      [](const Arguments &x, Arguments &t) { return Values{t[0][0] / x[0][0]}; },
      [](const Arguments &x, const Values &seed, Arguments &s) { s[0][0] += seed[0] / x[0][0]; });
  expect_all_pass(bounded, 25);
}

TEST(Soundness, PointWhereTheFunctionIsNotFiniteIsReplaced) {
  HandSubject root = unary("sqrt", [](double x) { return std::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); });
  expect_all_pass(root, 25);
}

const Combination forward_mode{Mode::forward, Activity::duplicated, {Activity::duplicated}, 1};
const Combination reverse_mode{Mode::reverse, Activity::active, {Activity::active}, 1};

/// 2 |x| + 3 x, with slopes 1 and 5, and this derivative at the kink.
template <int SlopeAtKink>
HandSubject bent() {
  return unary(
      "bent", [](double x) { return 2 * std::abs(x) + 3 * x; },
      [](double x) { return x == 0  ? SlopeAtKink
                            : x > 0 ? 5.0
                                    : 1.0; });
}

/// On how many edges the subject says that the point lies.
class OnEdges : public HandSubject {
public:
  OnEdges(HandSubject subject, std::size_t edges) : HandSubject(std::move(subject)), edges(edges) {}
  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &) override {
    PreciseDerivative derivative;
    derivative.result.resize(1);
    derivative.contents.resize(inputs.size());
    derivative.crossings = {"a comparison"};
    derivative.edges = edges;
    return derivative;
  }

private:
  std::size_t edges;
};

TEST(Soundness, AtAKinkTheDerivativeToOneSideIsRightAndCalledSo) {
  for (const Combination &combination : {forward_mode, reverse_mode})
    for (const bool left : {true, false}) {
      HandSubject subject = left ? bent<1>() : bent<5>();
      // A tangent that points down the axis sees the sides exchanged.
      const Record record = check_combination(subject, combination, {{0}});
      EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
      std::string passed;
      for (const std::string &check : record.passed)
        passed += check + ";";
      EXPECT_NE(passed.find("one-sided: equals the "), std::string::npos) << passed;
      if (combination.mode == Mode::reverse)
        EXPECT_NE(passed.find(left ? "left derivative at x" : "right derivative at x"), std::string::npos) << passed;
    }
}

TEST(Soundness, AtAKinkWhatLiesBetweenTheSidesIsUndecidedAndSaysSo) {
  HandSubject subject = bent<2>();
  for (const Combination &combination : {forward_mode, reverse_mode}) {
    const Record record = check_combination(subject, combination, {{0}});
    EXPECT_EQ(record.verdict, Verdict::oracle_unreliable);
    EXPECT_NE(record.detail.find("lies between the left one"), std::string::npos) << record.detail;
    ASSERT_FALSE(record.hints.empty());
    EXPECT_NE(record.hints.front().find("non-differentiable"), std::string::npos);
  }
}

/// Would catch: an alarm at a point where two branches change at once, 2 max(x, 0) - max(-x, 0), of whose derivatives
/// the program takes neither side's.
TEST(Soundness, AtAKinkWhatIsNoSidesFailsAtASingleEdgeOnly) {
  for (const Combination &combination : {forward_mode, reverse_mode}) {
    OnEdges one(bent<-4>(), 1), several(bent<-4>(), 2);
    HandSubject unknown = bent<-4>();
    const Record wrong = check_combination(one, combination, {{0}});
    EXPECT_EQ(wrong.verdict, Verdict::wrong_derivative);
    EXPECT_NE(wrong.detail.find("neither the left one"), std::string::npos) << wrong.detail;
    EXPECT_EQ(check_combination(several, combination, {{0}}).verdict, Verdict::oracle_unreliable);
    EXPECT_EQ(check_combination(unknown, combination, {{0}}).verdict, Verdict::oracle_unreliable);
  }
}

TEST(Soundness, JumpIsUndecided) {
  HandSubject step = unary("step", [](double x) { return x < 1 ? x : x + 1; }, [](double) { return 1.0; });
  EXPECT_EQ(check_combination(step, forward_mode, {{1}}).verdict, Verdict::oracle_unreliable);
}

TEST(Soundness, PointBesideAKinkIsStillDecided) {
  HandSubject absolute =
      unary("abs", [](double x) { return std::abs(x); }, [](double x) { return x >= 0 ? 1.0 : -1.0; });
  const Combination forward{Mode::forward, Activity::duplicated, {Activity::duplicated}, 1};
  EXPECT_EQ(check_combination(absolute, forward, {{1e-3}}).verdict, Verdict::pass);
}

TEST(Soundness, NoiseInTheFunctionIsNotAFailure) {
  HandSubject noisy = unary(
      "computed in float", [](double x) { return static_cast<double>(std::sin(static_cast<float>(x))); },
      [](double x) { return std::cos(x); });
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CheckOptions options;
    options.seed = seed;
    EXPECT_EQ(check_gradients(noisy, options).failed, 0U) << "seed " << seed;
  }
}

TEST(Soundness, FloatFunctionsAreComparedInFloat) {
  Signature signature{"float product",
                      {scalar("x", ElementType::single_precision), scalar("y", ElementType::single_precision)},
                      scalar("result", ElementType::single_precision)};
  const auto f = [](double value) { return static_cast<float>(value); };
  HandSubject subject(
      signature, [=](Arguments &x) { return Values{f(x[0][0]) * f(x[1][0])}; },
      [=](const Arguments &x, Arguments &t) { return Values{f(t[0][0]) * f(x[1][0]) + f(x[0][0]) * f(t[1][0])}; },
      [=](const Arguments &x, const Values &seed, Arguments &s) {
        s[0][0] += f(seed[0]) * f(x[1][0]);
        s[1][0] += f(seed[0]) * f(x[0][0]);
      });
  expect_all_pass(subject, 40);
}

bool same_record(const Record &left, const Record &right) {
  return left.verdict == right.verdict && left.inputs == right.inputs && left.worst.size() == right.worst.size() &&
         std::equal(left.worst.begin(), left.worst.end(), right.worst.begin(),
                    [](const Comparison &a, const Comparison &b) {
                      return std::bit_cast<std::uint64_t>(a.ad) == std::bit_cast<std::uint64_t>(b.ad) &&
                             std::bit_cast<std::uint64_t>(a.expected) == std::bit_cast<std::uint64_t>(b.expected);
                    });
}

TEST(Soundness, SameSeedGivesTheSameBitsTwiceAndAnotherSeedOthers) {
  HandSubject subject = update();
  CheckOptions options;
  options.seed = 17;
  const Report first = check_gradients(subject, options), second = check_gradients(subject, options);
  ASSERT_EQ(first.records.size(), second.records.size());
  for (std::size_t index = 0; index < first.records.size(); ++index)
    EXPECT_TRUE(same_record(first.records[index], second.records[index]));
  options.seed = 18;
  EXPECT_NE(check_gradients(subject, options).records.front().inputs, first.records.front().inputs);
}

TEST(Soundness, InputsDoNotDependOnWhichCombinationsAreChecked) {
  HandSubject subject = update();
  CheckOptions forward, reverse;
  forward.modes = {Mode::forward};
  reverse.modes = {Mode::reverse};
  EXPECT_EQ(check_gradients(subject, forward).records.front().inputs,
            check_gradients(subject, reverse).records.front().inputs);
}

// Would catch: a search for kinks in a precision that the function does not compute in, which takes its round-off for
// jumps, so that wrong tangents are left undecided.
TEST(Soundness, WrongTangentsInFloatFail) {
  const auto of_float = [](std::string name) {
    Parameter parameter = buffer(std::move(name), {5});
    parameter.element = ElementType::single_precision;
    return parameter;
  };
  Parameter result = scalar("result");
  result.element = ElementType::single_precision;
  const auto as_float = [](double value) { return static_cast<float>(value); };
  HandSubject subject(
      {"squares", {of_float("x"), of_float("y")}, result},
      [=](Arguments &x) {
        float sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
          x[1][i] = as_float(x[1][i]) * as_float(x[0][i]);
          sum += as_float(x[1][i]) * as_float(x[1][i]);
        }
        return Values{sum};
      },
      [=](const Arguments &x, Arguments &t) {
        float sum = 0;
        for (std::size_t i = 0; i < 5; ++i) {
          const float product = as_float(x[1][i]) * as_float(x[0][i]);
          t[1][i] = as_float(x[1][i]) * as_float(t[0][i]) - as_float(x[0][i]) * as_float(t[1][i]); // The sign is wrong.
          sum += 2 * product * as_float(t[1][i]);
        }
        return Values{sum};
      },
      [](const Arguments &, const Values &, Arguments &) {});
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    CheckOptions options;
    options.seed = seed;
    options.combinations = {{Mode::forward, Activity::duplicated, {Activity::duplicated, Activity::duplicated}, 1}};
    EXPECT_EQ(check_gradients(subject, options).failed, 1U) << "seed " << seed;
  }
}

// Would catch: a wrong derivative behind a branch that the few points of a check do not take.
TEST(Soundness, BriefSamplesFindWhatABranchHides) {
  const auto square = [](double x) { return x * x; };
  HandSubject subject = unary("branch", square, [](double x) { return x < -1.2 ? -2 * x : 2 * x; });
  CheckOptions options;
  unsigned missed = 0;
  for (options.seed = 1; options.seed <= 10; ++options.seed) {
    options.brief_samples = 0;
    missed += check_gradients(subject, options).failed == 0;
    options.brief_samples = 32;
    EXPECT_NE(check_gradients(subject, options).failed, 0U) << "seed " << options.seed;
  }
  EXPECT_GT(missed, 0U);
}

Record checked_at(HandSubject &subject, double x) {
  return check_combination(subject, {Mode::forward, Activity::duplicated, {Activity::duplicated}}, {{x}});
}

// Would catch: right derivatives of functions that vary on a scale far below the step of the differences, called wrong.
TEST(Soundness, RightDerivativesOnAShortScaleDoNotFailAndWrongOnesDo) {
  HandSubject right[] = {
      unary(
          "wave", [](double x) { return std::sin(4e8 * x); }, [](double x) { return 4e8 * std::cos(4e8 * x); }),
      unary(
          "step", [](double x) { return std::tanh(1e6 * (x - 0.5)); },
          [](double x) { return 1e6 / std::pow(std::cosh(1e6 * (x - 0.5)), 2); }),
      unary(
          "peak", [](double x) { return 1 / (1 + 1e12 * (x - 0.5) * (x - 0.5)); },
          [](double x) { return -2e12 * (x - 0.5) / std::pow(1 + 1e12 * (x - 0.5) * (x - 0.5), 2); })};
  for (HandSubject &subject : right)
    for (const double distance : {1e-8, -3e-7, 1e-6, 2e-5})
      EXPECT_NE(outcome_of(checked_at(subject, 0.5 + distance).verdict), Outcome::failed)
          << subject.signature().function << " at " << distance;
  HandSubject wrong =
      unary("wrong wave", [](double x) { return std::sin(1e3 * x); }, [](double x) { return 2e3 * std::cos(1e3 * x); });
  EXPECT_EQ(checked_at(wrong, 0.7).verdict, Verdict::wrong_derivative);
}

// Would catch: a kink too weak to be seen as one, beside which differences are wrong beyond their estimate.
TEST(Soundness, RightDerivativesBesideWeakKinksDoNotFail) {
  for (const double strength : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    for (const double distance : {0.0, 1e-14, 1e-10, 1e-6, 1e-4, 1e-3}) {
      HandSubject subject(
          {"weak kink", {scalar("x")}, scalar("result")},
          [=](Arguments &x) {
            const double u = x[0][0] - 0.5;
            return Values{std::sin(3 * u) + strength * std::fmax(u, 0)};
          },
          [=](const Arguments &x, Arguments &t) {
            const double u = x[0][0] - 0.5;
            return Values{(3 * std::cos(3 * u) + (u > 0 ? strength : 0)) * t[0][0]};
          },
          [](const Arguments &, const Values &, Arguments &) {});
      EXPECT_NE(outcome_of(checked_at(subject, 0.5 + distance).verdict), Outcome::failed)
          << strength << " " << distance;
    }
}

// Would catch: the mean of two slopes at a kink, taken for the derivative because it is a possible answer.
TEST(Soundness, ADerivativeThatAgreesByChanceAtAKinkIsUndecided) {
  HandSubject subject = unary(
      "magnitude", [](double x) { return 3 * std::fabs(x - 0.5); },
      [](double x) { return x > 0.5   ? 3.0
                            : x < 0.5 ? -3.0
                                      : 0.0; });
  EXPECT_EQ(checked_at(subject, 0.5).verdict, Verdict::oracle_unreliable);
  EXPECT_EQ(checked_at(subject, 0.8).verdict, Verdict::pass);
}

// Would catch: zero times an infinite partial derivative, reported as a derivative that does not vanish with its seed.
TEST(Soundness, AnInfiniteDerivativeAtAPoleIsUndecided) {
  HandSubject subject = unary(
      "root", [](double x) { return std::cbrt(std::fabs(x - 0.5)); },
      [](double x) { return std::copysign(1 / (3 * std::pow(std::fabs(x - 0.5), 2.0 / 3)), x - 0.5); });
  EXPECT_EQ(checked_at(subject, 0.5).verdict, Verdict::oracle_unreliable);
}

/// Notes which derivatives are asked for.
class WatchedSubject : public HandSubject {
public:
  explicit WatchedSubject(const HandSubject &subject) : HandSubject(subject) {}
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    asked.push_back({request.combination, request.primal});
    return HandSubject::differentiate(request);
  }
  bool keeps_nothing() const override { return false; }
  std::vector<NeededDerivative> asked;
};

// Would catch: front ends that compile all at once, and then each of many others by itself.
TEST(Soundness, TheCheckRunsOnlyTheDerivativesThatItSaysItNeeds) {
  WatchedSubject subject{update()};
  CheckOptions options;
  options.variations = Variations::one_each;
  const std::vector<Combination> combinations =
      combinations_of(subject, random_inputs(subject.signature(), options, 0), options);
  const std::vector<NeededDerivative> needed = derivatives_needed(combinations);
  EXPECT_EQ(check_gradients(subject, options).failed, 0U);
  for (const NeededDerivative &asked : subject.asked)
    EXPECT_TRUE(std::any_of(needed.begin(), needed.end(), [&](const NeededDerivative &one) {
      // Forward mode always gives the primal result that its activity asks for.
      return one.combination == asked.combination &&
             (one.primal == asked.primal || asked.combination.mode == Mode::forward);
    })) << describe(subject.signature(), asked.combination);
}

} // namespace
} // namespace assay::testutils
