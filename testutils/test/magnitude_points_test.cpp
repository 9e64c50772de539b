// Would catch: a rule that is wrong only for large, tiny or nearly equal numbers; points outside their domains.

#include "testutils/magnitudes.hpp"
#include "testutils/oracle.hpp"
#include "testutils/test/hand_subject.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace {

using namespace assay::testutils;

Signature two_numbers() {
  Signature signature;
  signature.function = "product";
  signature.parameters = {scalar("x"), scalar("y")};
  signature.result = scalar("result");
  return signature;
}

using Rule = std::function<double(double x, double y)>;

/// x y, with the derivative by x that `rule` gives, and a precise derivative.
class Product : public HandSubject {
public:
  explicit Product(const Rule &rule)
      : HandSubject(
            two_numbers(), [](Arguments &inputs) { return Values{inputs[0][0] * inputs[1][0]}; },
            [rule](const Arguments &inputs, Arguments &tangents) {
              return Values{rule(inputs[0][0], inputs[1][0]) * tangents[0][0] + inputs[0][0] * tangents[1][0]};
            },
            [rule](const Arguments &inputs, const Values &seed, Arguments &shadows) {
              shadows[0][0] += seed[0] * rule(inputs[0][0], inputs[1][0]);
              shadows[1][0] += seed[0] * inputs[0][0];
            }) {}

  bool knows_rules() const override { return is_known; }
  std::vector<assay::testutils::Rule> rules(const Combination & /*combination*/) const override {
    return has_rule ? std::vector<assay::testutils::Rule>{{"product: product_reverse", false}}
                    : std::vector<assay::testutils::Rule>();
  }
  bool is_known = false, has_rule = false;

  std::optional<PreciseDerivative> precise_derivative(const Arguments &inputs, const Arguments &direction) override {
    const auto along = [&](std::size_t index) { return direction[index].empty() ? 0 : direction[index][0]; };
    PreciseDerivative derivative;
    derivative.result = {{inputs[1][0] * along(0) + inputs[0][0] * along(1), 0, 0x1p-40, true}};
    derivative.contents = {{{}}, {{}}};
    derivative.roundoff = 0x1p-53;
    return derivative;
  }
};

Report checked(const Rule &rule, unsigned magnitude_samples) {
  Product subject(rule);
  CheckOptions options;
  options.magnitude_samples = magnitude_samples;
  options.find_neighbours = false;
  return check_gradients(subject, options);
}

constexpr unsigned one_of_each_kind = 8;

TEST(MagnitudePoints, FindARuleThatIsWrongForNearlyEqualNumbers) {
  const Rule rule = [](double x, double y) { return std::abs(x - y) < 1e-1 * std::abs(x) && x != y ? -y : y; };
  EXPECT_EQ(checked(rule, 0).failed, 0U) << "no random point is there";
  EXPECT_GT(checked(rule, 2 * one_of_each_kind).failed, 0U);
}

TEST(MagnitudePoints, FindARuleThatIsWrongForLargeNumbers) {
  const Rule rule = [](double x, double y) { return std::abs(x) > 100 ? 0.5 * y : y; };
  EXPECT_EQ(checked(rule, 0).failed, 0U) << "no random point is there";
  EXPECT_GT(checked(rule, one_of_each_kind).failed, 0U);
}

TEST(MagnitudePoints, FindARuleThatIsWrongForTinyNumbers) {
  const Rule rule = [](double x, double y) { return std::abs(x) < 1e-6 ? 2 * y : y; };
  EXPECT_EQ(checked(rule, 0).failed, 0U) << "no random point is there";
  EXPECT_GT(checked(rule, one_of_each_kind).failed, 0U);
}

TEST(MagnitudePoints, LeaveARightRuleAlone) {
  const Report report = checked([](double, double y) { return y; }, 4 * one_of_each_kind);
  EXPECT_EQ(report.passed, report.checked);
}

TEST(MagnitudePoints, AreOfEveryKindAndTheSameAgain) {
  Signature signature = two_numbers();
  signature.parameters.push_back(buffer("z", {5}));
  bool is_huge = false, is_tiny = false, are_equal = false, are_close = false, are_sorted = false, are_few = false;
  for (unsigned sample = 0; sample < 12 * one_of_each_kind; ++sample) {
    const Arguments inputs = magnitude_inputs(signature, {}, sample);
    EXPECT_EQ(inputs, magnitude_inputs(signature, {}, sample));
    const double x = inputs[0][0], y = inputs[1][0];
    is_huge = is_huge || std::abs(x) > 1e40;
    is_tiny = is_tiny || std::abs(x) < 1e-40;
    are_equal = are_equal || x == y;
    are_close = are_close || (x != y && std::abs(x - y) < 0.02 * std::abs(x));
    const std::set<double> values(inputs[2].begin(), inputs[2].end());
    are_few = are_few || (values.size() > 1 && values.size() <= 3);
    are_sorted = are_sorted || std::is_sorted(inputs[2].begin(), inputs[2].end());
  }
  EXPECT_TRUE(is_huge && is_tiny && are_equal && are_close && are_sorted && are_few);
}

/// Generated code is checked there as well.
TEST(MagnitudePoints, AreFairForAPartThatIsWrongForSmallNumbers) {
  Product subject([](double x, double y) { return std::abs(x) < 1e-3 && std::abs(x) > 1e-5 ? y * (1 + 1e-6) : y; });
  subject.is_known = true;
  CheckOptions options;
  options.magnitude_samples = one_of_each_kind;
  EXPECT_GT(check_gradients(subject, options).failed, 0U);
}

TEST(MagnitudePoints, AreOfFairSizes) {
  const Signature signature = two_numbers();
  bool is_large = false, is_small = false;
  for (unsigned sample = 0; sample < 6; ++sample) {
    const Arguments inputs = fair_magnitude_inputs(signature, {}, sample);
    for (const Values &values : inputs) {
      EXPECT_LT(std::abs(values[0]), 0x1p14);
      is_large = is_large || std::abs(values[0]) > 0x1p6;
      is_small = is_small || std::abs(values[0]) < 0x1p-6;
    }
  }
  EXPECT_TRUE(is_large && is_small);
}

TEST(MagnitudePoints, AreUnevenAtTheEndsOfFairSizes) {
  const Signature signature = two_numbers();
  bool is_large = false, is_small = false, is_large_beside_usual = false;
  for (unsigned sample = 0; sample < 36; ++sample) {
    const Arguments inputs = uneven_magnitude_inputs(signature, {}, sample);
    EXPECT_EQ(inputs, uneven_magnitude_inputs(signature, {}, sample));
    const double x = std::abs(inputs[0][0]), y = std::abs(inputs[1][0]);
    EXPECT_LT(std::max(x, y), 0x1p14);
    is_large = is_large || std::min(x, y) > 0x1p8;
    is_small = is_small || std::max(x, y) < 0x1p-8;
    is_large_beside_usual = is_large_beside_usual || (x > 0x1p8 && y < 2);
  }
  EXPECT_TRUE(is_large && is_small && is_large_beside_usual);
}

/// It need not be made for such numbers, but nobody shall take it for checked there.
TEST(MagnitudePoints, SayThatARuleIsNotJudgedFarFromUsualNumbers) {
  const auto notes_of = [](const Rule &rule) {
    Product subject(rule);
    subject.is_known = subject.has_rule = true;
    CheckOptions options;
    options.magnitude_samples = 2 * one_of_each_kind;
    const Report report = check_gradients(subject, options);
    EXPECT_EQ(report.failed, 0U);
    std::string notes;
    for (const Record &record : report.records)
      for (const std::string &note : record.notes)
        notes += note + '\n';
    return notes;
  };
  EXPECT_NE(notes_of([](double x, double y) {
              return std::abs(x) > 0x1p11 ? 0.5 * y : y;
            }).find("differs from wide arithmetic at numbers beyond 1024"),
            std::string::npos);
  EXPECT_EQ(notes_of([](double, double y) { return y; }), "");
}

TEST(MagnitudePoints, StayInTheirDomainsAndLeaveWhatIsFixed) {
  Signature signature = two_numbers();
  signature.parameters[0].domain = {0.5, 2, false};
  signature.parameters[1].fixed = {7};
  signature.parameters.push_back(scalar("step"));
  signature.parameters.back().domain.step = 0.25;
  for (unsigned sample = 0; sample < 8 * one_of_each_kind; ++sample) {
    const Arguments inputs = magnitude_inputs(signature, {}, sample);
    EXPECT_GT(inputs[0][0], 0.5);
    EXPECT_LT(inputs[0][0], 2);
    EXPECT_EQ(inputs[1][0], 7);
    EXPECT_EQ(std::fmod(inputs[2][0], 0.25), 0);
  }
}

TEST(MagnitudePoints, LeaveNoRoomForASecondLookBesideSubnormalNumbers) {
  Product subject([](double, double y) { return y; });
  const Point point = examine_point(subject, {{0x1p-1070}, {1}});
  FiniteDifferenceOracle oracle(subject, point, assay::fdm::central_fdm(5, 1));
  EXPECT_TRUE(oracle.column_again(0, 0, {.range = 0}).empty());
  EXPECT_TRUE(oracle.along_again({{1}, {}}, {.range = 0, .side = Look::Side::above}).empty());
}

} // namespace
