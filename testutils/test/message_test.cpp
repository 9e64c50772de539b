// A failure message has everything that is needed to understand and to repeat the failure.

#include "testutils/test/subjects.hpp"
#include <assay/testing/message.hpp>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

Report failing_report() {
  HandSubject subject =
      weighted_squares(3).with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
        if (request.combination.mode == Mode::reverse && !outcome.shadows[0][0].empty())
          outcome.shadows[0][0][2] += 0.25 * request.result_seeds[0][0];
      });
  CheckOptions options;
  options.seed = 99;
  return check_gradients(subject, options);
}

const Record &failure_in(const Report &report) {
  for (const Record &record : report.records)
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  throw std::logic_error("no combination failed");
}

TEST(Message, NamesVerdictFunctionModeActivitiesElementSeedAndReplayCommand) {
  const Report report = failing_report();
  const std::string message = failure_message(report.signature, failure_in(report));
  for (const char *part : {"wrong derivative", "weighted_squares", "reverse", "width 1", "Duplicated x: double[3]",
                           "Active double", "x[2]", "an element of argument x", "FDM step", "FDM error", "tolerance",
                           "ULP", "incoming shadow", "0x1p+0", "seed", "99", "replay --seed 99", "fails too"})
    EXPECT_NE(message.find(part), std::string::npos) << "missing: " << part << "\n" << message;
}

TEST(Message, SummaryLineHasTheWorstElementWithBothValues) {
  const Report report = failing_report();
  const std::string line = summary_line(report.signature, failure_in(report));
  EXPECT_NE(line.find("x[2]"), std::string::npos) << line;
  EXPECT_NE(line.find("expected"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(Message, TotalsLineIsTheContract) {
  Report report;
  report.checked = 7;
  report.passed = 4;
  report.failed = 2;
  report.undecided = 1;
  EXPECT_EQ(totals_line(report), "7 combinations checked, 4 passed, 2 failed, 1 undecided");
}

TEST(Message, PathOfAMatrixElementHasItsRowAndColumn) {
  EXPECT_EQ(buffer("w", {3, 4}).element_path(8), "w(2, 0)");
  EXPECT_EQ(buffer("x", {8}).element_path(3), "x[3]");
  EXPECT_EQ(scalar("a").element_path(0), "a");
}

} // namespace
} // namespace assay::testutils
