// Would catch: a wrong derivative that hides in the error of finite differences, a right one that is called wrong
// because one of two oracles is, and code that the precise oracle does not cover and that nobody names.

#include "testutils/test/subjects.hpp"
#include <assay/testing/message.hpp>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

/// x^2 with a precise derivative of `slope` and an AD derivative of `ad_slope` times x.
class Square : public Subject {
public:
  Square(double slope, double ad_slope) : slope(slope), ad_slope(ad_slope) {}

  const Signature &signature() const override { return description; }
  PrimalOutcome evaluate(const Arguments &inputs) override { return {{inputs[0][0] * inputs[0][0]}, inputs, {}}; }
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    const double x = request.inputs[0][0], ad = ad_slope * x;
    DerivativeOutcome outcome;
    outcome.contents = request.inputs;
    if (request.combination.mode == Mode::forward ? request.combination.result == Activity::duplicated
                                                  : request.primal == PrimalResult::wanted)
      outcome.result = Values{x * x};
    if (request.combination.mode == Mode::forward) {
      outcome.result_tangents.push_back({ad * request.shadows[0][0][0]});
      outcome.shadows = request.shadows;
    } else {
      outcome.shadows.push_back({{ad * request.result_seeds[0][0]}});
    }
    return outcome;
  }
  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &direction) override {
    ++asked;
    PreciseDerivative derivative;
    derivative.not_followed = not_followed;
    derivative.crossings = crossings;
    derivative.roundoff = roundoff;
    derivative.contents.resize(1);
    derivative.result.push_back({slope * inputs[0][0] * direction[0][0], 0, 1e-12, crossings.empty()});
    return derivative;
  }

  std::vector<std::string> not_followed, crossings;
  double roundoff = 0x1p-53;
  int asked = 0;

private:
  double slope, ad_slope;
  Signature description{"square", {scalar("x")}, scalar("result")};
};

Record first_record(Square &square, const CheckOptions &options = {}) {
  return check_gradients(square, options).records.front();
}

TEST(PreciseOracle, DecidesWhereItCoversTheFunction) {
  Square square(2, 2);
  const Record record = first_record(square);
  EXPECT_EQ(record.verdict, Verdict::pass);
  EXPECT_EQ(record.oracle, "wide arithmetic");
  EXPECT_TRUE(record.oracle_reasons.empty());
}

TEST(PreciseOracle, SeesErrorsCloseToTheRoundingOfDoubles) {
  Square square(2, 2 * (1 + 1e-12));
  CheckOptions options;
  options.tolerance = {1e-14, 1e-14};
  EXPECT_EQ(first_record(square, options).verdict, Verdict::wrong_derivative);
}

TEST(PreciseOracle, IsNotBelievedAgainstFiniteDifferences) {
  Square square(2.5, 2);
  const Record record = first_record(square);
  EXPECT_EQ(record.verdict, Verdict::oracle_unreliable);
  EXPECT_NE(record.detail.find("the oracles disagree at result"), std::string::npos) << record.detail;
}

TEST(PreciseOracle, LeavesCodeThatItDoesNotFollowToFiniteDifferences) {
  Square square(7, 2);
  square.not_followed = {"a call of strtod"};
  const Record record = first_record(square);
  EXPECT_EQ(record.verdict, Verdict::pass);
  EXPECT_EQ(record.oracle, "finite differences");
  ASSERT_EQ(record.oracle_reasons.size(), 1U);
  EXPECT_EQ(record.oracle_reasons.front(), "wide arithmetic does not follow a call of strtod");
  EXPECT_EQ(square.asked, 1);

  CheckOptions options;
  options.oracle = OracleChoice::precise;
  EXPECT_EQ(first_record(square, options).verdict, Verdict::oracle_unreliable);
}

TEST(PreciseOracle, LeavesPointsOnTheEdgeOfABranchToFiniteDifferences) {
  Square square(7, 2);
  square.crossings = {"a comparison at f.c:3"};
  const Record record = first_record(square);
  EXPECT_EQ(record.verdict, Verdict::pass);
  EXPECT_EQ(record.oracle, "finite differences");
  ASSERT_EQ(record.oracle_reasons.size(), 1U);
  EXPECT_EQ(record.oracle_reasons.front(), "the point lies on the edge of a comparison at f.c:3");
}

TEST(PreciseOracle, ForgivesTheRoundingOfFloatsInside) {
  Square square(2, 2 * (1 + 1e-7));
  CheckOptions options;
  options.oracle = OracleChoice::precise;
  EXPECT_EQ(first_record(square, options).verdict, Verdict::wrong_derivative);
  square.roundoff = 0x1p-24;
  EXPECT_EQ(first_record(square, options).verdict, Verdict::pass);
}

TEST(PreciseOracle, IsNotAskedWhenFiniteDifferencesAreWanted) {
  Square square(7, 2);
  CheckOptions options;
  options.oracle = OracleChoice::finite_differences;
  EXPECT_EQ(first_record(square, options).verdict, Verdict::pass);
  EXPECT_EQ(square.asked, 0);
}

TEST(PreciseOracle, IsNamedInAFailure) {
  Square square(2, 3);
  const Record record = first_record(square);
  ASSERT_EQ(record.verdict, Verdict::wrong_derivative);
  EXPECT_EQ(record.check, "derivative against wide arithmetic");
  EXPECT_NE(failure_message(square.signature(), record).find("wide error"), std::string::npos);
}

TEST(PreciseOracle, StandsBesideFiniteDifferencesInAFailure) {
  Square square(2, 3);
  const Record record = first_record(square);
  EXPECT_EQ(record.second_oracle, "finite differences");
  ASSERT_TRUE(record.worst.front().second);
  EXPECT_NEAR(*record.worst.front().second, record.worst.front().expected, 1e-9);
  EXPECT_NE(failure_message(square.signature(), record).find("FDM error"), std::string::npos);
}

} // namespace
} // namespace assay::testutils
