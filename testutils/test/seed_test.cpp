// Would catch: derivatives that are right for usual seeds alone and pass, and false alarms where an operation overflows
// or underflows.

#include "testutils/test/subjects.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace assay::testutils {
namespace {

CheckOptions in_reverse() {
  CheckOptions options;
  options.modes = {Mode::reverse};
  return options;
}

/// x * y whose reverse derivative sees another seed.
HandSubject product_with_seed(const std::function<double(double)> &changed,
                              ElementType type = ElementType::double_precision) {
  return {{"product", {scalar("x", type), scalar("y", type)}, scalar("result", type)},
          [](Arguments &x) { return Values{x[0][0] * x[1][0]}; },
          [](const Arguments &x, Arguments &t) { return Values{t[0][0] * x[1][0] + x[0][0] * t[1][0]}; },
          [changed](const Arguments &x, const Values &seed, Arguments &s) {
            s[0][0] += changed(seed[0]) * x[1][0];
            s[1][0] += changed(seed[0]) * x[0][0];
          }};
}

void expect_failure(HandSubject subject, const std::string &words) {
  const Report report = check_gradients(subject, in_reverse());
  EXPECT_EQ(report.failed, report.checked);
  for (const Record &record : report.records) {
    EXPECT_EQ(record.verdict, Verdict::wrong_derivative);
    EXPECT_EQ(record.check, "seeds of every size");
    EXPECT_NE(record.detail.find(words), std::string::npos) << record.detail;
  }
}

TEST(Seeds, OneThatIsSmallIsNoZero) {
  expect_failure(product_with_seed([](double seed) { return std::abs(seed) < 1e-12 ? 0 : seed; }),
                 "with seeds times 2^-100, about 1e-30, the derivative is not as many times as large: it is zero");
}

/// Whose floats that are small are taken for zero, which nothing tells.
class OnDevice : public HandSubject {
public:
  explicit OnDevice(HandSubject subject) : HandSubject(std::move(subject)) {}
  bool is_on_device() const override { return true; }
};

double flushed(double seed) {
  return std::abs(seed) < 0x1p-115 ? 0 : seed;
}

TEST(Seeds, OnADeviceHaveRoomToTheEndsOfTheRange) {
  OnDevice subject(product_with_seed(flushed, ElementType::single_precision));
  EXPECT_EQ(check_gradients(subject, in_reverse()).failed, 0U);
  OnDevice small(
      product_with_seed([](double seed) { return std::abs(seed) < 1e-6 ? 0 : seed; }, ElementType::single_precision));
  const Report report = check_gradients(small, in_reverse());
  EXPECT_EQ(report.failed, report.checked);
}

/// In the whole seed it is a twentieth of the derivative, which may be the rest of an iteration.
TEST(Seeds, OneThatIsSmallIsNoZeroBesideLargerOnes) {
  HandSubject subject(
      {"sum", {scalar("x"), scalar("y")}, scalar("result")},
      [](Arguments &x) { return Values{x[0][0] + 0.05 * x[1][0]}; },
      [](const Arguments &, Arguments &t) {
        return Values{t[0][0] + 0.05 * (std::abs(t[1][0]) < 1e-14 ? 0 : t[1][0])};
      },
      [](const Arguments &, const Values &seed, Arguments &s) {
        s[0][0] += seed[0];
        s[1][0] += 0.05 * seed[0];
      });
  CheckOptions options;
  options.modes = {Mode::forward};
  const Report report = check_gradients(subject, options);
  EXPECT_TRUE(std::ranges::any_of(report.records, [](const Record &record) {
    return record.check == "seeds of every size" &&
           record.detail.find("it is zero, where the seed is zero but in y") != std::string::npos;
  }));
}

/// Of which the check knows that it uses no registered rule.
class GeneratedCode : public HandSubject {
public:
  explicit GeneratedCode(HandSubject subject) : HandSubject(std::move(subject)) {}
  bool knows_rules() const override { return true; }
};

/// An iteration in a rule may stop so early; sums and products do not.
TEST(Seeds, OneThatIsSmallLosesNothingInGeneratedCode) {
  const auto lossy = [](double seed) { return std::abs(seed) < 1e-20 ? seed * (1 + 1e-10) : seed; };
  HandSubject unknown = product_with_seed(lossy);
  EXPECT_TRUE(check_gradients(unknown, in_reverse()).ok());
  GeneratedCode generated(product_with_seed(lossy));
  const Report report = check_gradients(generated, in_reverse());
  EXPECT_EQ(report.failed, report.checked);
  GeneratedCode right(product_with_seed([](double seed) { return seed; }));
  EXPECT_TRUE(check_gradients(right, in_reverse()).ok());
}

TEST(Seeds, OneNearTheEndOfTheRangeIsNoZeroEither) {
  expect_failure(product_with_seed([](double seed) { return std::abs(seed) < 1e-295 ? 0 : seed; }), "times 2^-1000");
}

TEST(Seeds, OneThatIsLargeIsNotLimited) {
  expect_failure(product_with_seed([](double seed) { return std::min(seed, 1e8); }), "times 2^100, about 1e30");
  expect_failure(product_with_seed([](double seed) { return seed > 1e280 ? INFINITY : seed; }), "it is not finite");
}

TEST(Seeds, OfFloatsStayInTheirRange) {
  expect_failure(
      product_with_seed([](double seed) { return std::abs(seed) < 1e-7 ? 0 : seed; }, ElementType::single_precision),
      "times 2^-30");
  HandSubject right = product_with_seed([](double seed) { return seed; }, ElementType::single_precision);
  EXPECT_TRUE(check_gradients(right).ok());
}

TEST(Seeds, WhatUnderflowsOnTheWayIsNotCompared) {
  HandSubject subject = product_with_seed([](double seed) {
    volatile double small = seed * 1e-200;
    return small * 1e200;
  });
  EXPECT_TRUE(check_gradients(subject, in_reverse()).ok());
}

TEST(Seeds, ASubnormalOneMayBeFlushedToZero) {
  HandSubject subject =
      product_with_seed([](double seed) { return std::abs(seed) < std::numeric_limits<double>::min() ? 0 : seed; });
  EXPECT_TRUE(check_gradients(subject, in_reverse()).ok());
}

TEST(Seeds, AnInfiniteOneStaysInItsLane) {
  HandSubject subject = product().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.width == 1)
      return;
    const Values &last = request.shadows.back()[0];
    if (!last.empty() && std::isinf(last[0]))
      outcome.result_tangents.front()[0] += last[0];
  });
  CheckOptions options;
  options.modes = {Mode::forward};
  options.widths = {3};
  const Report report = check_gradients(subject, options);
  EXPECT_GT(report.failed, 0U);
  for (const Record &record : report.records)
    if (record.verdict != Verdict::pass)
      EXPECT_EQ(record.detail, "a seed of infinity in lane 2 changes another lane");
}

TEST(Seeds, PartsAddUp) {
  HandSubject subject = weighted_squares(3);
  EXPECT_TRUE(check_gradients(subject).ok());
  subject.with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    const Values &direction = request.shadows[0][0];
    if (request.combination.mode == Mode::forward && !direction.empty() && direction[0] == 0)
      for (Values &tangent : outcome.result_tangents)
        tangent.assign(tangent.size(), 0);
  });
  CheckOptions options;
  options.modes = {Mode::forward};
  const Report report = check_gradients(subject, options);
  EXPECT_GT(report.failed, 0U);
  for (const Record &record : report.records)
    if (record.verdict != Verdict::pass)
      EXPECT_EQ(record.check, "seeds that are zero in part");
}

} // namespace
} // namespace assay::testutils
