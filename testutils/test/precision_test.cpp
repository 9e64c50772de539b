// Would catch: a wrong double that hides behind the tolerance of a float beside it, and a right one that fails because
// it is computed in float.

#include "testutils/test/hand_subject.hpp"
#include <assay/testing/message.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

constexpr ElementType in_float = ElementType::single_precision;

/// x^2 y with a double x and a float y.
HandSubject beside_a_float() {
  return {{"beside", {scalar("x"), scalar("y", in_float)}, scalar("result")},
          [](Arguments &a) { return Values{a[0][0] * a[0][0] * a[1][0]}; },
          [](const Arguments &a, Arguments &t) {
            return Values{2 * a[0][0] * a[1][0] * t[0][0] + a[0][0] * a[0][0] * t[1][0]};
          },
          [](const Arguments &a, const Values &seed, Arguments &s) {
            s[0][0] += 2 * a[0][0] * a[1][0] * seed[0];
            s[1][0] = static_cast<float>(s[1][0] + a[0][0] * a[0][0] * seed[0]);
          }};
}

/// sin of a double x, computed in float, times y.
HandSubject through_a_float() {
  return {{"through", {scalar("x"), scalar("y", in_float)}, scalar("result")},
          [](Arguments &a) {
            const auto x = static_cast<float>(a[0][0]), y = static_cast<float>(a[1][0]);
            return Values{static_cast<double>(std::sin(x) * y)};
          },
          [](const Arguments &a, Arguments &t) {
            const auto x = static_cast<float>(a[0][0]), y = static_cast<float>(a[1][0]);
            return Values{static_cast<double>(std::cos(x) * y * static_cast<float>(t[0][0]) +
                                              std::sin(x) * static_cast<float>(t[1][0]))};
          },
          [](const Arguments &a, const Values &seed, Arguments &s) {
            const auto x = static_cast<float>(a[0][0]), y = static_cast<float>(a[1][0]);
            const auto one = static_cast<float>(seed[0]);
            s[0][0] += static_cast<double>(std::cos(x) * y * one);
            s[1][0] = static_cast<float>(s[1][0]) + std::sin(x) * one;
          }};
}

/// x / 32 + 2 y in float: what x contributes is coarser than its own neighbours are apart.
HandSubject small_part_in_float() {
  return {{"small", {scalar("x"), scalar("y", in_float)}, scalar("result")},
          [](Arguments &a) {
            return Values{static_cast<double>(static_cast<float>(a[0][0]) / 32 + 2 * static_cast<float>(a[1][0]))};
          },
          [](const Arguments &, Arguments &t) { return Values{t[0][0] / 32 + 2 * t[1][0]}; },
          [](const Arguments &, const Values &seed, Arguments &s) {
            s[0][0] += seed[0] / 32;
            s[1][0] = static_cast<float>(s[1][0] + 2 * seed[0]);
          }};
}

/// z[0] = x^2 in double, z[1] = x y in float.
HandSubject side_by_side() {
  return {{"both", {scalar("x"), scalar("y", in_float), buffer("z", {2})}, std::nullopt},
          [](Arguments &a) {
            a[2] = {a[0][0] * a[0][0], static_cast<double>(static_cast<float>(a[0][0]) * static_cast<float>(a[1][0]))};
            return Values{};
          },
          [](const Arguments &a, Arguments &t) {
            t[2] = {2 * a[0][0] * t[0][0], a[1][0] * t[0][0] + a[0][0] * t[1][0]};
            return Values{};
          },
          [](const Arguments &a, const Values &, Arguments &s) {
            s[0][0] += 2 * a[0][0] * s[2][0] + a[1][0] * s[2][1];
            s[1][0] = static_cast<float>(s[1][0] + a[0][0] * s[2][1]);
            s[2] = {0, 0};
          }};
}

void expect_all_pass(HandSubject subject, unsigned seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CheckOptions options;
    options.seed = seed;
    const Report report = check_gradients(subject, options);
    for (const Record &record : report.records)
      EXPECT_EQ(record.verdict, Verdict::pass) << failure_message(report.signature, record);
  }
}

TEST(Precision, RightDerivativesPassWhereverFloatsAre) {
  expect_all_pass(beside_a_float(), 40);
  expect_all_pass(through_a_float(), 40);
  expect_all_pass(small_part_in_float(), 40);
  expect_all_pass(side_by_side(), 40);
}

/// Of combinations in which only x moves.
Record record_with_x_alone(HandSubject subject, Mode mode) {
  for (const Record &record : check_gradients(subject).records)
    if (record.combination.mode == mode && record.combination.arguments[0] != Activity::constant &&
        record.combination.arguments[1] == Activity::constant)
      return record;
  return {};
}

void expect_rejected(const HandSubject &subject, Mode mode) {
  const Record record = record_with_x_alone(subject, mode);
  EXPECT_EQ(record.verdict, Verdict::wrong_derivative) << failure_message(subject.signature(), record);
}

TEST(Precision, AWrongDoubleBesideAFloatIsFound) {
  HandSubject subject = beside_a_float().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (!outcome.result_tangents.empty())
      outcome.result_tangents[0][0] *= 1 + 3e-4;
    else if (request.combination.arguments[0] == Activity::active)
      outcome.shadows[0][0][0] *= 1 + 3e-4;
  });
  expect_rejected(subject, Mode::forward);
  expect_rejected(subject, Mode::reverse);
}

TEST(Precision, AWrongDoubleBesideANumberThatIsRoundedToFloatIsFound) {
  HandSubject subject = side_by_side().with_fault([](const DerivativeRequest &request, DerivativeOutcome &outcome) {
    if (request.combination.mode == Mode::forward)
      outcome.shadows[0][2][0] *= 1 + 3e-4;
  });
  expect_rejected(subject, Mode::forward);
}

TEST(Precision, AWrongLaneIsFoundFarBelowTheToleranceOfFloat) {
  HandSubject subject = through_a_float().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    if (outcome.result_tangents.size() == 2)
      outcome.result_tangents[1][0] *= 1 + 3e-5;
  });
  CheckOptions options;
  options.widths = {2};
  options.modes = {Mode::forward};
  EXPECT_GT(check_gradients(subject, options).failed, 0U);
  HandSubject right = through_a_float();
  EXPECT_EQ(check_gradients(right, options).failed, 0U);
}

TEST(Precision, AWrongDoubleIsFoundByItsOwnTolerance) {
  HandSubject subject = through_a_float().with_fault([](const DerivativeRequest &, DerivativeOutcome &outcome) {
    if (!outcome.result_tangents.empty())
      outcome.result_tangents[0][0] *= 1.01;
  });
  expect_rejected(subject, Mode::forward);
}

} // namespace
} // namespace assay::testutils
