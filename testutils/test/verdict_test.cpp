// Each planted fault is caught, with the verdict and the hint that name it.

#include "testutils/test/subjects.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

const Record *first_failure(const Report &report) {
  const auto found = std::find_if(report.records.begin(), report.records.end(),
                                  [](const Record &record) { return outcome_of(record.verdict) == Outcome::failed; });
  return found == report.records.end() ? nullptr : &*found;
}

Record caught_failure(Subject &subject, Mode mode) {
  CheckOptions options;
  options.modes = {mode};
  const Report report = check_gradients(subject, options);
  const Record *failure = first_failure(report);
  EXPECT_NE(failure, nullptr) << "the fault was not caught";
  return failure ? *failure : Record{};
}

bool has_hint(const Record &record, std::string_view part) {
  return std::any_of(record.hints.begin(), record.hints.end(),
                     [&](const std::string &hint) { return hint.find(part) != std::string::npos; });
}

void scale_derivative(DerivativeOutcome &outcome, double factor) {
  for (Values &tangents : outcome.result_tangents)
    for (double &tangent : tangents)
      tangent *= factor;
}

TEST(Verdict, WrongSignInForwardModeIsAWrongDerivativeWithItsHint) {
  HandSubject subject = product().with_fault(
      [](const DerivativeRequest &, DerivativeOutcome &outcome) { scale_derivative(outcome, -1); });
  const Record failure = caught_failure(subject, Mode::forward);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_TRUE(has_hint(failure, "sign"));
}

TEST(Verdict, NaNsAndInfinitiesThatOnlyTheDerivativeHasAreWrongDerivatives) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    HandSubject forward = product().with_fault([bad](const DerivativeRequest &, DerivativeOutcome &outcome) {
      for (Values &tangents : outcome.result_tangents)
        tangents.assign(tangents.size(), bad);
    });
    EXPECT_EQ(caught_failure(forward, Mode::forward).verdict, Verdict::wrong_derivative) << bad;
    HandSubject reverse = product().with_fault([bad](const DerivativeRequest &, DerivativeOutcome &outcome) {
      for (Values &values : outcome.shadows[0])
        for (double &value : values)
          value += bad;
    });
    EXPECT_EQ(caught_failure(reverse, Mode::reverse).verdict, Verdict::wrong_derivative) << bad;
  }
}

TEST(Verdict, FactorTwoInReverseModeIsAWrongDerivativeWithItsHint) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    for (Values &values : outcome.shadows[0])
      for (double &value : values)
        value *= 2;
  });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_TRUE(has_hint(failure, "factor of 2"));
}

void change_adjoints(HandSubject &subject, const std::function<double(double adjoint, double seed)> &change) {
  subject.with_fault([change](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::reverse && !request.result_seeds[0].empty())
      for (Values &values : outcome.shadows[0])
        for (double &value : values)
          value = change(value, request.result_seeds[0][0]);
  });
}

TEST(Verdict, AReverseRuleThatUsesTheSeedNotOrTwiceIsToldSo) {
  HandSubject without = product(), twice = product();
  change_adjoints(without, [](double adjoint, double seed) { return seed == 0 ? adjoint : adjoint / seed; });
  EXPECT_TRUE(has_hint(caught_failure(without, Mode::reverse), "the seed is not used"));
  change_adjoints(twice, [](double adjoint, double seed) { return adjoint * seed; });
  EXPECT_TRUE(has_hint(caught_failure(twice, Mode::reverse), "multiplied by the seed twice"));
}

// Would catch: memory that counts as read only where the function happens to write what was there.
TEST(Verdict, ARightDerivativePassesWhereWhatIsWrittenEqualsWhatWasThere) {
  HandSubject subject{{"squared", {buffer("x", {2})}, {}},
                      [](Arguments &x) {
                        for (double &value : x[0])
                          value *= value;
                        return Values{};
                      },
                      [](const Arguments &x, Arguments &t) {
                        for (std::size_t i = 0; i < 2; ++i)
                          t[0][i] *= 2 * x[0][i];
                        return Values{};
                      },
                      [](const Arguments &x, const Values &, Arguments &s) {
                        for (std::size_t i = 0; i < 2; ++i)
                          s[0][i] *= 2 * x[0][i];
                      }};
  for (const double value : {1.0, 0.0, 0.7}) {
    CheckOptions options;
    options.points = {{{value, value}}};
    const Report report = check_gradients(subject, options);
    EXPECT_GT(report.checked, 0U);
    EXPECT_EQ(report.passed, report.checked) << value;
  }
}

TEST(Verdict, ADerivativeInSinglePrecisionIsToldItsDigits) {
  HandSubject subject = product().with_fault(
      [](const DerivativeRequest &, DerivativeOutcome &outcome) { scale_derivative(outcome, 1 + 3e-8); });
  EXPECT_TRUE(has_hint(caught_failure(subject, Mode::forward), "right to 7 digits: single precision"));
}

TEST(Verdict, ImaginaryPartsWithTheOtherSignAreConjugate) {
  HandSubject subject =
      weighted_squares(4).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        Values &shadow = outcome.shadows[0][0];
        if (request.combination.mode == Mode::reverse && !shadow.empty())
          for (const std::size_t element : {1U, 3U})
            shadow[element] = 2 * request.shadows[0][0][element] - shadow[element];
      });
  EXPECT_TRUE(has_hint(caught_failure(subject, Mode::reverse), "conjugate: the imaginary parts of x"));
}

TEST(Verdict, DroppedTermIsFoundAtItsElement) {
  HandSubject subject =
      weighted_squares(4).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse && !outcome.shadows[0][0].empty())
          outcome.shadows[0][0][3] = request.shadows[0][0][3];
      });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  ASSERT_FALSE(failure.worst.empty());
  EXPECT_EQ(failure.worst.front().path, "x[3]");
  EXPECT_TRUE(has_hint(failure, "nothing was added"));
  EXPECT_TRUE(has_hint(failure, "last element of x"));
}

TEST(Verdict, AssigningInsteadOfAddingIsSeenThoughTheGradientIsRight) {
  HandSubject subject =
      weighted_squares(3).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse)
          for (std::size_t index = 0; index < outcome.shadows[0].size(); ++index)
            for (std::size_t element = 0; element < outcome.shadows[0][index].size(); ++element)
              outcome.shadows[0][index][element] -= request.shadows[0][index][element];
      });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_TRUE(has_hint(failure, "assigned (=)"));
}

TEST(Verdict, MissingZeroingOfAnOverwrittenShadowIsSeen) {
  HandSubject subject =
      matrix_times_vector().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse)
          outcome.shadows[0][2] = request.shadows[0][2];
      });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_TRUE(has_hint(failure, "not set to zero"));
}

TEST(Verdict, TransposedGradientIsNamed) {
  HandSubject subject =
      matrix_times_vector().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::forward || outcome.shadows[0][0].empty())
          return;
        const Values incoming = request.shadows[0][0];
        Values derivative = outcome.shadows[0][0];
        for (std::size_t element = 0; element < 6; ++element)
          derivative[element] -= incoming[element];
        for (std::size_t i = 0; i < 2; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            outcome.shadows[0][0][j * 2 + i] = incoming[j * 2 + i] + derivative[i * 3 + j];
      });
  CheckOptions options;
  options.modes = {Mode::reverse};
  options.shrink_steps = 0; // A shrunk input makes both sides look alike.
  const Report report = check_gradients(subject, options);
  const Record *failure = first_failure(report);
  ASSERT_NE(failure, nullptr);
  EXPECT_TRUE(has_hint(*failure, "transposed"));
}

TEST(Verdict, FaultThatNeedsAConstArgumentFailsOnlyThere) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::reverse && request.combination.arguments[1] == Activity::constant)
      for (double &value : outcome.shadows[0][0])
        value *= 3;
  });
  CheckOptions options;
  options.modes = {Mode::reverse};
  const Report report = check_gradients(subject, options);
  EXPECT_EQ(report.failed, 1U);
  const Record *failure = first_failure(report);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->combination.arguments[1], Activity::constant);
  ASSERT_FALSE(failure->neighbours.empty());
  EXPECT_TRUE(std::all_of(failure->neighbours.begin(), failure->neighbours.end(),
                          [](const Neighbour &neighbour) { return neighbour.verdict == Verdict::pass; }));
}

TEST(Verdict, MinimalSignatureHasNoActivityThatDoesNotMatter) {
  HandSubject subject =
      weighted_squares(2).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse && !outcome.shadows[0][0].empty())
          outcome.shadows[0][0][0] += 1;
      });
  const Combination both{Mode::reverse, Activity::active, {Activity::duplicated, Activity::duplicated}, 1};
  const Record record = check_combination(subject, both, {{1.5, 2.5}, {0.5, 0.25}});
  ASSERT_TRUE(record.minimal.has_value());
  EXPECT_EQ(record.minimal->arguments, (std::vector{Activity::duplicated, Activity::constant}));
}

TEST(Verdict, ChangedPrimalResultIsAWrongPrimalHoweverSmall) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    if (outcome.result)
      outcome.result->front() = std::nextafter(outcome.result->front(), 1e9);
  });
  EXPECT_EQ(caught_failure(subject, Mode::reverse).verdict, Verdict::wrong_primal);
  EXPECT_EQ(caught_failure(subject, Mode::forward).verdict, Verdict::wrong_primal);
}

/// The product, with a result that is off by so many parts of 2^-53 where it comes with a derivative.
HandSubject product_with_result_off_by(double parts) {
  return product().with_fault([parts](const DerivativeRequest &, DerivativeOutcome &outcome) {
    if (outcome.result)
      outcome.result->front() *= 1 + parts * 0x1p-53;
  });
}

TEST(Verdict, PrimalResultMayBeRoundedOtherwiseWhereThatIsSaidAndOffByNoMoreThanRoundingMovesIt) {
  CheckOptions options;
  options.tolerance.primal_may_round = true;
  HandSubject rounded = product_with_result_off_by(8), wrong = product_with_result_off_by(900);
  EXPECT_EQ(check_gradients(rounded, options).failed, 0);
  const Report report = check_gradients(wrong, options);
  ASSERT_NE(first_failure(report), nullptr);
  EXPECT_EQ(first_failure(report)->verdict, Verdict::wrong_primal);
}

TEST(Verdict, NoHintSaysMoreOfAShadowToWhichNothingWasAdded) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::reverse)
      outcome.shadows = request.shadows;
  });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_FALSE(has_hint(failure, "counted twice"));
}

TEST(Verdict, MissedMutationIsAWrongMutationThatSaysSo) {
  HandSubject subject = update().with_fault(
      [](const DerivativeRequest &request, DerivativeOutcome &outcome) { outcome.contents[2] = request.inputs[2]; });
  const Record failure = caught_failure(subject, Mode::forward);
  EXPECT_EQ(failure.verdict, Verdict::wrong_mutation);
  EXPECT_NE(failure.detail.find("write is missing"), std::string::npos);
}

TEST(Verdict, WriteToConstMemoryIsAWrongMutation) {
  HandSubject subject =
      weighted_squares(2).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.arguments[1] == Activity::constant)
          outcome.contents[1][0] += 1;
      });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_mutation);
  EXPECT_EQ(failure.combination.arguments[1], Activity::constant);
}

TEST(Verdict, OverwrittenCanaryIsAWrongMutation) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    outcome.violations.push_back("the guard behind the shadow of x was overwritten");
  });
  EXPECT_EQ(caught_failure(subject, Mode::reverse).verdict, Verdict::wrong_mutation);
}

TEST(Verdict, ChangedTangentOfReadOnlyMemoryIsAWrongMutation) {
  HandSubject subject =
      weighted_squares(2).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::forward && !outcome.shadows[0][0].empty())
          outcome.shadows[0][0][1] = 0;
      });
  EXPECT_EQ(caught_failure(subject, Mode::forward).verdict, Verdict::wrong_mutation);
}

TEST(Verdict, DerivativeThatCannotBeMadeIsACrashWithItsReason) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &) {
    throw SubjectError("cannot differentiate inline assembly");
  });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::crash);
  EXPECT_EQ(failure.detail, "cannot differentiate inline assembly");
}

TEST(Verdict, DifferentBitsTheSecondTimeAreNondeterministic) {
  int calls = 0;
  HandSubject subject = product().with_fault([&calls](const DerivativeRequest &, DerivativeOutcome &outcome) {
    for (Values &values : outcome.result_tangents)
      for (double &value : values)
        value *= 1 + 1e-13 * ++calls;
  });
  EXPECT_EQ(caught_failure(subject, Mode::forward).verdict, Verdict::nondeterministic);
}

/// Each time with another number in the last digits, as sums of a device's threads have: of the function itself, of its
/// derivative.
class OnDevice : public HandSubject {
public:
  OnDevice(double part_of_function, double part_of_derivative)
      : HandSubject(product()), part_of_function_(part_of_function), part_of_derivative_(part_of_derivative) {}
  bool is_on_device() const override { return true; }
  PrimalOutcome evaluate(const Arguments &inputs) override {
    PrimalOutcome outcome = HandSubject::evaluate(inputs);
    vary(outcome.result, part_of_function_);
    return outcome;
  }
  DerivativeOutcome differentiate(const DerivativeRequest &request) override {
    DerivativeOutcome outcome = HandSubject::differentiate(request);
    for (Values &values : outcome.result_tangents)
      vary(values, part_of_derivative_);
    return outcome;
  }

private:
  void vary(Values &values, double part) {
    ++calls_;
    for (double &value : values)
      value *= 1 + part * (calls_ % 2);
  }
  double part_of_function_, part_of_derivative_;
  int calls_ = 0;
};

std::set<Verdict> forward_verdicts(Subject &subject) {
  CheckOptions options;
  options.modes = {Mode::forward};
  std::set<Verdict> verdicts;
  for (const Record &record : check_gradients(subject, options).records)
    verdicts.insert(record.verdict);
  return verdicts;
}

TEST(Verdict, SumsOfADeviceMayComeInAnotherOrder) {
  OnDevice of_sums(0, 0x1p-51), of_more(0, 1e-9);
  EXPECT_FALSE(forward_verdicts(of_sums).contains(Verdict::nondeterministic));
  EXPECT_TRUE(forward_verdicts(of_more).contains(Verdict::nondeterministic));
}

TEST(Verdict, SumsOfAFunctionOnADeviceMayComeInAnotherOrder) {
  OnDevice of_sums(0x1p-51, 0), of_more(1e-9, 0);
  EXPECT_EQ(forward_verdicts(of_sums), std::set{Verdict::pass});
  EXPECT_EQ(forward_verdicts(of_more), std::set{Verdict::nondeterministic});
}

TEST(Verdict, NonzeroDerivativeOfAZeroSeedIsSeenBelowTheOraclesError) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    for (Values &values : outcome.result_tangents)
      for (double &value : values)
        value += 1e-12;
  });
  const Record failure = caught_failure(subject, Mode::forward);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_EQ(failure.check, "zero seed");
}

TEST(Verdict, ReadOfMemoryThatTheFunctionOverwritesIsSeenByPoison) {
  HandSubject subject =
      matrix_times_vector().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse && !outcome.shadows[0][1].empty())
          outcome.shadows[0][1][0] += 0 * request.inputs[2][0];
      });
  const Record failure = caught_failure(subject, Mode::reverse);
  EXPECT_EQ(failure.verdict, Verdict::wrong_derivative);
  EXPECT_EQ(failure.check, "memory that is not read, poisoned");
}

TEST(Verdict, WrongLaneOfABatchIsNamed) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.width > 2)
      outcome.result_tangents[2] = outcome.result_tangents[1];
  });
  CheckOptions options;
  options.modes = {Mode::forward};
  options.widths = {1, 4};
  const Report report = check_gradients(subject, options);
  const Record *failure = first_failure(report);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->combination.width, 4U);
  EXPECT_EQ(failure->worst.front().path, "result (lane 2)");
}

TEST(Verdict, WrongElementOfALargeInputIsFoundByBisection) {
  HandSubject subject =
      weighted_squares(400).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse && !outcome.shadows[0][0].empty())
          outcome.shadows[0][0][251] += 0.5;
      });
  CheckOptions options;
  options.modes = {Mode::reverse};
  options.shrink_steps = 4;
  const Report report = check_gradients(subject, options);
  const Record *failure = first_failure(report);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->worst.front().path, "x[251]");
}

TEST(Verdict, FailingInputIsShrunkToASimplePoint) {
  HandSubject subject =
      product().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) { scale_derivative(outcome, 2); });
  const Record failure = caught_failure(subject, Mode::forward);
  EXPECT_GT(failure.shrinks, 0U);
  EXPECT_EQ(failure.inputs, (Arguments{{1}, {1}}));
}

} // namespace
} // namespace assay::testutils
