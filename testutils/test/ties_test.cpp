// Would catch: a rule that takes another side of a tie than the function, and one that is called wrong for what it may
// choose at a kink of the library.

#include "testutils/test/subjects.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace assay::testutils {
namespace {

/// |x|, which takes the right branch at 0, with the derivative `slope` there.
class Size : public Subject {
public:
  explicit Size(double slope) : slope(slope) {}

  const Signature &signature() const override { return description; }
  PrimalOutcome evaluate(const Arguments &inputs) override { return {{std::abs(inputs[0][0])}, inputs, {}}; }
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    DerivativeOutcome outcome;
    outcome.contents = request.inputs;
    if (request.primal == PrimalResult::wanted)
      outcome.result = Values{std::abs(request.inputs[0][0])};
    const double x = request.inputs[0][0];
    outcome.shadows.push_back({{(x == 0 ? slope : x < 0 ? -1 : 1) * request.result_seeds[0][0]}});
    return outcome;
  }
  std::optional<PreciseDerivative> precise_derivative(const Arguments &, const Arguments &direction) override {
    PreciseDerivative derivative = along(direction, false);
    derivative.crossings = {"a comparison at f.c:3"};
    derivative.edges = 1;
    derivative.are_decisions = is_own_comparison;
    return derivative;
  }
  std::optional<PreciseDerivative> derivative_in_wide(const Arguments &, const Arguments &direction) override {
    return along(direction, true);
  }
  std::vector<Rule> rules(const Combination &) const override {
    return has_rule ? std::vector<Rule>{{"size: size_augmented and size_reverse", false}} : std::vector<Rule>();
  }
  bool supports(const Combination &combination) const override { return combination.mode == Mode::reverse; }

  double slope;
  bool is_own_comparison = true, has_rule = true;

private:
  static PreciseDerivative along(const Arguments &direction, bool is_known) {
    PreciseDerivative derivative;
    derivative.contents.resize(1);
    derivative.result.push_back({direction[0].empty() ? 0 : direction[0][0], 0, 1e-12, is_known});
    return derivative;
  }

  Signature description{"size", {scalar("x")}, scalar("result")};
};

Record at_the_tie(Size &subject) {
  CheckOptions options;
  options.modes = {Mode::reverse};
  options.points = {{{0.0}}};
  return check_gradients(subject, options).records.front();
}

TEST(Ties, AreTakenAsTheFunctionTakesThem) {
  Size right(1), wrong(-1);
  EXPECT_EQ(at_the_tie(right).verdict, Verdict::pass);
  const Record record = at_the_tie(wrong);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
  EXPECT_EQ(record.detail, "the point is a tie of a comparison at f.c:3, and the derivative is not that of the side "
                           "which the function takes");
}

TEST(Ties, AreNoPlaceForTheMeanOfBothSides) {
  Size mean(0);
  EXPECT_EQ(at_the_tie(mean).verdict, Verdict::wrong_derivative);
}

TEST(Ties, OfTheLibraryLeaveTheChoice) {
  Size subject(-1);
  subject.is_own_comparison = false;
  EXPECT_EQ(at_the_tie(subject).verdict, Verdict::pass);
}

TEST(Ties, OfTheLibraryHaveAFiniteDerivativeAllTheSame) {
  Size subject(std::numeric_limits<double>::quiet_NaN());
  subject.is_own_comparison = subject.has_rule = false;
  const Record record = at_the_tie(subject);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
  EXPECT_EQ(record.detail,
            "the derivative is not finite; the point lies on the edge of a comparison at f.c:3, and that "
            "of the branch which the function takes is finite");
}

TEST(Ties, AreNoMatterOfDerivativesWithoutRules) {
  Size subject(-1);
  subject.has_rule = false;
  EXPECT_NE(at_the_tie(subject).verdict, Verdict::wrong_derivative);
}

/// max(x, 0) + log(1 + exp(-|x|)), whose branches give the slope 1 at 0, where it is 1/2.
class Softplus : public Size {
public:
  Softplus() : Size(1) { has_rule = false; }
  PrimalOutcome evaluate(const Arguments &inputs) override { return {{value(inputs[0][0])}, inputs, {}}; }
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    DerivativeOutcome outcome = Size::differentiate(request);
    if (outcome.result)
      outcome.result = Values{value(request.inputs[0][0])};
    return outcome;
  }
  std::optional<PreciseDerivative> precise_derivative(const Arguments &, const Arguments &direction) override {
    PreciseDerivative derivative;
    derivative.contents.resize(1);
    derivative.result.push_back({direction[0].empty() ? 0 : direction[0][0] / 2, 0, 1e-12, true});
    derivative.edges_together = edges;
    derivative.met = {"a minimum or maximum at f.c:3", "an absolute value at f.c:3"};
    return derivative;
  }
  std::optional<PreciseDerivative> derivative_in_wide(const Arguments &, const Arguments &) override { return {}; }

  std::size_t edges = 2;

private:
  static double value(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
};

TEST(Ties, OfSeveralEdgesAtOnceAreUndecided) {
  Softplus subject;
  const Record record = at_the_tie(subject);
  EXPECT_EQ(record.verdict, Verdict::oracle_unreliable);
  EXPECT_EQ(record.detail, "the point lies on several edges at once, of a minimum or maximum at f.c:3 and an absolute "
                           "value at f.c:3: derivatives of the sides that are taken there need not make up that of "
                           "the function");
  subject.edges = 1;
  EXPECT_EQ(at_the_tie(subject).verdict, Verdict::wrong_derivative);
}

TEST(Ties, OfSeveralEdgesAtOnceBindRules) {
  Softplus subject;
  subject.has_rule = true;
  EXPECT_EQ(at_the_tie(subject).verdict, Verdict::wrong_derivative);
}

} // namespace
} // namespace assay::testutils
