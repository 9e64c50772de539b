// Would catch: a derivative that looks at what the function overwrites unread, at memory beside its arguments, and a
// message that does not say at whose.

#include "testutils/point.hpp"
#include "testutils/test/hand_subject.hpp"
#include <assay/testing/message.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

/// y[0] = x^2, y[1] *= 2
HandSubject half_overwritten() {
  return {{"half", {scalar("x"), buffer("y", {2})}, std::nullopt},
          [](Arguments &a) {
            a[1] = {a[0][0] * a[0][0], 2 * a[1][1]};
            return Values{};
          },
          [](const Arguments &a, Arguments &t) {
            t[1] = {2 * a[0][0] * t[0][0], 2 * t[1][1]};
            return Values{};
          },
          [](const Arguments &a, const Values &, Arguments &s) {
            s[0][0] += 2 * a[0][0] * s[1][0];
            s[1] = {0, 2 * s[1][1]};
          }};
}

Report report_of(HandSubject::Fault fault) {
  HandSubject subject = half_overwritten().with_fault(std::move(fault));
  return check_gradients(subject);
}

const Record &first_failure(const Report &report) {
  for (const Record &record : report.records)
    if (outcome_of(record.verdict) == Outcome::failed)
      return record;
  throw std::logic_error("nothing failed");
}

TEST(Poison, ARightDerivativePassesAndWasAsked) {
  std::size_t poisoned = 0, beside = 0;
  const Report report = report_of([&](const DerivativeRequest &request, DerivativeOutcome &) {
    poisoned += std::isnan(request.inputs[1][0]);
    beside += !request.poisoned.empty();
    EXPECT_FALSE(std::isnan(request.inputs[1][1])); // That element is read.
  });
  EXPECT_EQ(report.failed, 0U);
  EXPECT_GE(poisoned, report.checked);
  EXPECT_GE(beside, report.checked);
}

TEST(Poison, AnElementThatIsMultipliedWithZeroIsRead) {
  HandSubject product{{"product", {scalar("x"), buffer("y", {1})}, std::nullopt},
                      [](Arguments &a) {
                        a[1][0] = a[0][0] * a[1][0] + 1;
                        return Values{};
                      },
                      [](const Arguments &a, Arguments &t) {
                        t[1][0] = a[0][0] * t[1][0] + t[0][0] * a[1][0];
                        return Values{};
                      },
                      [](const Arguments &a, const Values &, Arguments &s) {
                        s[0][0] += a[1][0] * s[1][0];
                        s[1][0] *= a[0][0];
                      }};
  const Point point = examine_point(product, {{0}, {3}});
  EXPECT_TRUE(point.unread.at(1).empty());
}

TEST(Poison, AnElementThatIsOverwrittenMustNotBeRead) {
  const Report report = report_of([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (!outcome.shadows[0][0].empty())
      outcome.shadows[0][0][0] += 0 * request.inputs[1][0];
  });
  const Record &record = first_failure(report);
  EXPECT_EQ(record.check, "memory that is not read, poisoned");
  EXPECT_EQ(record.worst.front().path, "x");
}

TEST(Poison, TheArgumentBesideWhichIsReadIsNamed) {
  const Report report = report_of([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (!request.poisoned.empty() && request.poisoned[1])
      outcome.shadows[0][1][1] = std::nan("");
  });
  const Record &record = first_failure(report);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
  EXPECT_NE(record.detail.find("memory beside y or its shadow"), std::string::npos) << record.detail;
}

TEST(Poison, AFunctionThatLooksBesideItsArgumentsIsNamedItself) {
  const Report report = report_of([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (!request.poisoned.empty()) {
      outcome.shadows[0][1][1] = std::nan("");
      outcome.contents[1][0] = 7;
    }
  });
  EXPECT_NE(first_failure(report).detail.find("the function itself"), std::string::npos);
}

} // namespace
} // namespace assay::testutils
