// Would catch: a wrong derivative that is blamed on the other mode or on an oracle, and a Taylor remainder that does
// not tell a right derivative from a wrong one.

#include "testutils/test/subjects.hpp"
#include "testutils/triangulation.hpp"
#include <assay/testing/message.hpp>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

/// The first wrong derivative in this mode.
Record failure_of(Subject &subject, Mode mode) {
  CheckOptions options;
  options.modes = {mode};
  for (const Record &record : check_gradients(subject, options).records)
    if (record.verdict == Verdict::wrong_derivative)
      return record;
  ADD_FAILURE() << "the fault was not caught";
  return {};
}

const Witness &witness(const Record &record, std::string_view name) {
  for (const Witness &one : record.witnesses)
    if (one.name == name)
      return one;
  throw std::logic_error("no such witness");
}

void triple_gradient(const DerivativeRequest &request, DerivativeOutcome &outcome) {
  if (request.combination.mode != Mode::reverse)
    return;
  for (std::size_t index = 0; index < outcome.shadows[0].size(); ++index)
    for (std::size_t element = 0; element < outcome.shadows[0][index].size(); ++element) {
      const Values &incoming = request.shadows[0][index];
      const double before = incoming.empty() ? 0 : incoming[element];
      outcome.shadows[0][index][element] = before + 3 * (outcome.shadows[0][index][element] - before);
    }
}

TEST(Triangulation, NamesReverseModeWhereItIsAlone) {
  HandSubject subject = weighted_squares(3).with_fault(triple_gradient);
  const Record record = failure_of(subject, Mode::reverse);
  EXPECT_EQ(record.odd_one, "reverse is the odd one: forward and finite differences agree");
  const double reverse = witness(record, "reverse").value, forward = witness(record, "forward").value;
  EXPECT_NEAR(reverse, 3 * forward, 1e-9 * std::abs(reverse));
  ASSERT_TRUE(witness(record, "reverse").taylor_slope);
  EXPECT_NEAR(*witness(record, "reverse").taylor_slope, 1, 0.2);
}

TEST(Triangulation, NamesForwardModeWhereItIsAlone) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::forward)
      for (Values &tangents : outcome.result_tangents)
        for (double &tangent : tangents)
          tangent += 1;
  });
  EXPECT_EQ(failure_of(subject, Mode::forward).odd_one, "forward is the odd one: reverse and finite differences agree");
}

TEST(Triangulation, SeesThatBothModesAreWrongAlike) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    triple_gradient(request, outcome);
    for (Values &tangents : outcome.result_tangents)
      for (double &tangent : tangents)
        tangent *= 3;
  });
  const Record record = failure_of(subject, Mode::reverse);
  EXPECT_EQ(record.odd_one,
            "reverse and forward agree, and differ from finite differences: look for a rule that all of them use");
}

TEST(Triangulation, StandsInTheMessage) {
  HandSubject subject = weighted_squares(3).with_fault(triple_gradient);
  const Record record = failure_of(subject, Mode::reverse);
  const std::string message = failure_message(subject.signature(), record);
  for (const char *part : {"odd one     reverse is the odd one", "    reverse ", "    forward ",
                           "    finite differences ", "Taylor remainder of order 1.0"})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
}

TEST(TaylorSlope, IsTwoForTheDerivativeAndOneForAnotherNumber) {
  HandSubject subject = weighted_squares(2);
  const Point point = examine_point(subject, {{1, 2}, {0.5, -3}});
  const Arguments direction = {{1, 1}, {0, 0}};
  const double derivative = 2 * 0.5 * 1 - 2 * 3 * 2;
  EXPECT_NEAR(*taylor_slope(subject, point, direction, {1}, derivative), 2, 0.05);
  EXPECT_NEAR(*taylor_slope(subject, point, direction, {1}, derivative + 1), 1, 0.2);
}

TEST(TaylorSlope, SaysNothingWhereTheRemainderIsRoundOff) {
  HandSubject subject = product();
  const Point point = examine_point(subject, {{3}, {5}});
  EXPECT_FALSE(taylor_slope(subject, point, {{1}, {0}}, {1}, 5));
}

} // namespace
} // namespace assay::testutils
