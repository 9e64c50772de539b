// Would catch: a record without what its plots show, a plot of another number than the one that decided, and calls
// that are timed where nobody asked.

#include "testutils/report_record.hpp"
#include "testutils/test/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

/// Of central differences, against the derivative.
double error(const StepStudy &study, const StepRow &row) {
  return std::abs(row.central - study.derivative);
}

const Record &with_steps(const Report &report, Mode mode) {
  const auto found = std::find_if(report.records.begin(), report.records.end(), [&](const Record &record) {
    return record.combination.mode == mode && record.steps;
  });
  if (found == report.records.end())
    throw std::logic_error("no record with steps");
  return *found;
}

TEST(Steps, AreAVForTheFirstRightDerivativeOfEachMode) {
  HandSubject subject = update();
  const Report report = check_gradients(subject);
  ASSERT_TRUE(report.ok());
  for (const Mode mode : {Mode::forward, Mode::reverse}) {
    EXPECT_EQ(std::count_if(report.records.begin(), report.records.end(),
                            [&](const Record &record) { return record.combination.mode == mode && record.steps; }),
              1);
    const StepStudy &study = *with_steps(report, mode).steps;
    EXPECT_EQ(study.path, with_steps(report, mode).worst.front().path);
    ASSERT_GT(study.rows.size(), 15U);
    EXPECT_TRUE(std::is_sorted(study.rows.begin(), study.rows.end(),
                               [](const StepRow &one, const StepRow &other) { return one.step > other.step; }));
    const auto best =
        std::min_element(study.rows.begin(), study.rows.end(), [&](const StepRow &one, const StepRow &other) {
          return error(study, one) < error(study, other);
        });
    EXPECT_LT(error(study, *best), 1e-6 * std::abs(study.derivative));
    EXPECT_GE(error(study, study.rows.back()), error(study, *best)) << "rounding";
    EXPECT_FALSE(study.expected);
  }
}

TEST(Steps, OfAWrongDerivativeHaveTheOraclesNumberAndASlopeOfOne) {
  HandSubject subject = update().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::forward)
      for (Values &tangents : outcome.shadows[0])
        for (double &tangent : tangents)
          tangent *= 1.5;
  });
  CheckOptions options;
  options.modes = {Mode::forward};
  const Record record = with_steps(check_gradients(subject, options), Mode::forward);
  ASSERT_EQ(record.verdict, Verdict::wrong_derivative);
  ASSERT_TRUE(record.steps->expected && record.steps->taylor_slope);
  EXPECT_NEAR(*record.steps->taylor_slope, 1, 0.2);
  EXPECT_NEAR(record.steps->derivative, 1.5 * *record.steps->expected, 1e-6 * std::abs(record.steps->derivative));
  const double difference = record.steps->rows[8].central;
  EXPECT_NEAR(difference, *record.steps->expected, 1e-4 * std::abs(difference));
}

TEST(Steps, AreLeftOutWhereNobodyReadsThemOrCallsTakeLong) {
  HandSubject subject = update();
  CheckOptions unread, slow;
  unread.find_neighbours = false;
  slow.depth = Depth::derivative;
  for (const CheckOptions &options : {unread, slow})
    for (const Record &record : check_gradients(subject, options).records)
      EXPECT_FALSE(record.steps);
}

/// Its calls take the times that the test sets.
class TimedSubject : public HandSubject {
public:
  explicit TimedSubject(HandSubject subject) : HandSubject(std::move(subject)) {}
  std::optional<CallTimes> time_calls(const DerivativeRequest &) override {
    return CallTimes{{500, 100, 300, 200, 400}, {9000}};
  }
};

/// Would catch: a check of a slow function that takes twice as long for its times.
TEST(Times, OfSlowFunctionsAreTakenOnceInEachMode) {
  TimedSubject subject(update());
  CheckOptions slow;
  slow.depth = Depth::derivative;
  const Report report = check_gradients(subject, slow);
  EXPECT_GT(report.records.size(), 2U);
  EXPECT_EQ(std::count_if(report.records.begin(), report.records.end(), [](const Record &one) { return one.times; }),
            2);
}

TEST(Times, AreQuartilesInTheRecord) {
  TimedSubject subject(product());
  const Report report = check_gradients(subject);
  const reports::Record record = report_record(report.signature, report.records.front());
  ASSERT_TRUE(record.times);
  EXPECT_EQ(record.times->function.calls, 5U);
  EXPECT_EQ(record.times->function.low, 200);
  EXPECT_EQ(record.times->function.median, 300);
  EXPECT_EQ(record.times->function.high, 400);
  EXPECT_EQ(record.times->derivative.median, 9000);
}

} // namespace
} // namespace assay::testutils
