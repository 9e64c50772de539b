// Would catch: rounding that makes a right derivative wrong, and a wrong derivative that passes as rounding because it
// is near one that rounds.

#include "testutils/test/subjects.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

/// x with the derivative 1, to which the code under test adds noise.
class Noisy : public Subject {
public:
  const Signature &signature() const override { return description; }
  PrimalOutcome evaluate(const Arguments &inputs) override { return {{inputs[0][0]}, inputs, {}}; }
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    return outcome_with(request, 1 + noise * std::sin(0x1p60 * request.inputs[0][0]));
  }
  std::optional<PreciseDerivative> precise_derivative(const Arguments &, const Arguments &direction) override {
    return derivative_of_one(direction);
  }
  std::optional<PreciseDerivative> derivative_in_wide(const Arguments &, const Arguments &direction) override {
    return derivative_of_one(direction);
  }
  std::optional<WideOutcome> differentiate_in_wide(const DerivativeRequest &request) override {
    if (!has_wide)
      return std::nullopt;
    return WideOutcome{outcome_with(request, wide_slope), differentiate(request), wide_roundoff, {}, "at f.c:3"};
  }

  std::optional<DerivativeOutcome> differentiate_with_other_rounding(const DerivativeRequest &request) override {
    if (other_rounding == 0)
      return std::nullopt;
    return outcome_with(request, 1 + other_rounding);
  }

  bool supports(const Combination &combination) const override { return combination.mode == Mode::reverse; }

  double noise = 1e-4, wide_slope = 1, wide_roundoff = 0x1p-53;
  bool has_wide = true;
  double other_rounding = 0;
  std::vector<std::string> singularities;

private:
  PreciseDerivative derivative_of_one(const Arguments &direction) const {
    PreciseDerivative derivative;
    derivative.singularities = singularities;
    derivative.contents.resize(1);
    derivative.result.push_back({direction[0].empty() ? 0 : direction[0][0], 0, 1e-12, true});
    return derivative;
  }

  static DerivativeOutcome outcome_with(const DerivativeRequest &request, double slope) {
    DerivativeOutcome outcome;
    outcome.contents = request.inputs;
    if (request.primal == PrimalResult::wanted)
      outcome.result = Values{request.inputs[0][0]};
    outcome.shadows.push_back({{slope * request.result_seeds[0][0]}});
    return outcome;
  }

  Signature description{"noisy", {scalar("x")}, scalar("result")};
};

Record record_of(Noisy &subject, const CheckOptions &options = {}) {
  CheckOptions reverse = options;
  reverse.modes = {Mode::reverse};
  return check_gradients(subject, reverse).records.front();
}

TEST(Reassess, AcceptsADerivativeWhoseCodeIsRightInWideArithmetic) {
  Noisy subject;
  const Record record = record_of(subject);
  EXPECT_EQ(record.verdict, Verdict::pass) << record.detail;
  ASSERT_TRUE(record.lost);
  EXPECT_GE(record.lost->digits, 8);
  EXPECT_EQ(record.lost->site, "at f.c:3");
}

TEST(Reassess, ConfirmsAWrongDerivative) {
  Noisy subject;
  subject.wide_slope = 1.1;
  EXPECT_EQ(record_of(subject).verdict, Verdict::wrong_derivative);
}

TEST(Reassess, DoesNotExcuseNumbersThatAreCoarserThanTheFunctions) {
  Noisy subject;
  subject.wide_roundoff = 0x1p-24;
  const Record record = record_of(subject);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
  EXPECT_NE(record.detail.find("numbers of 24 bits"), std::string::npos) << record.detail;
}

TEST(Reassess, FailsWhereMoreDigitsAreLostThanTheUserAllows) {
  Noisy subject;
  CheckOptions options;
  options.most_digits_lost = 6;
  EXPECT_EQ(record_of(subject, options).verdict, Verdict::wrong_derivative);
  options.most_digits_lost = 14;
  EXPECT_EQ(record_of(subject, options).verdict, Verdict::pass);
}

TEST(Reassess, TakesTheSpreadIntoTheToleranceWhereThereIsNoWideVersion) {
  Noisy subject;
  subject.has_wide = false;
  subject.noise = 1e-7;
  EXPECT_EQ(record_of(subject).verdict, Verdict::pass);
  subject.noise = 0.5;
  EXPECT_EQ(record_of(subject).verdict, Verdict::oracle_unreliable);
}

/// Off by one part in ten million, always in the same way.
class Off : public Noisy {
public:
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    DerivativeOutcome outcome = Noisy::differentiate(request);
    outcome.shadows[0][0][0] *= 1 + 1e-7;
    return outcome;
  }
};

TEST(Reassess, TakesWhatAnotherCompilationGivesIntoTheTolerance) {
  Off subject;
  subject.has_wide = false;
  subject.noise = 0;
  EXPECT_EQ(record_of(subject).verdict, Verdict::wrong_derivative);
  subject.other_rounding = 5e-8;
  EXPECT_EQ(record_of(subject).verdict, Verdict::pass);
}

TEST(Reassess, LeavesOpenWhatIsNotFiniteAtASingularity) {
  Noisy subject;
  subject.noise = std::numeric_limits<double>::quiet_NaN();
  subject.has_wide = false;
  EXPECT_EQ(record_of(subject).verdict, Verdict::wrong_derivative);
  subject.singularities = {"a division by zero"};
  EXPECT_EQ(record_of(subject).verdict, Verdict::oracle_unreliable);
}

TEST(Reassess, DoesNotExcuseAnErrorThatStays) {
  Noisy subject;
  subject.has_wide = false;
  subject.noise = 0;
  EXPECT_EQ(record_of(subject).verdict, Verdict::pass);

  Off off;
  off.has_wide = false;
  off.noise = 0;
  EXPECT_EQ(record_of(off).verdict, Verdict::wrong_derivative);
}

TEST(Reassess, DoesNotExcuseABranchThatIsWrongBesideOneThatIsRight) {
  class Branching : public Noisy {
  public:
    DerivativeOutcome differentiate(const DerivativeRequest &request) override {
      DerivativeOutcome outcome = Noisy::differentiate(request);
      if (request.inputs[0][0] == 0.75)
        outcome.shadows[0][0][0] = 1.1 * request.result_seeds[0][0];
      return outcome;
    }
  } branching;
  branching.noise = 0;
  branching.wide_slope = 1.1;
  CheckOptions options;
  options.points = {{{0.75}}};
  EXPECT_EQ(record_of(branching, options).verdict, Verdict::wrong_derivative);
}

} // namespace
} // namespace assay::testutils
