// test_rule on rules that keep derivatives by a key, for good: the key has to tell inputs apart.
#include <assay/rules.hpp>
#include <assay/testing.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

using namespace assay;

namespace {

using Numbers = std::vector<double>;

Numbers ends(const Numbers &x) {
  return {x.front(), x.back()};
}
Numbers size_and_ends(const Numbers &x) {
  return {static_cast<double>(x.size()), x.front(), x.back()};
}
Numbers extremes(const Numbers &x) {
  const auto [least, most] = std::ranges::minmax(x);
  return {least, most};
}
Numbers all(const Numbers &x) {
  return x;
}

double weighted_cubes(const Numbers &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += static_cast<double>(i + 1) * x[i] * x[i] * x[i];
  return sum;
}

/// The gradient, which is kept by `key(x)`.
template <Numbers (*key)(const Numbers &)>
Numbers kept_slopes(const Numbers &x) {
  static std::map<Numbers, Numbers> cache;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  Numbers &slopes = cache[key(x)];
  for (std::size_t i = slopes.size(); i < x.size(); ++i)
    slopes.push_back(3 * static_cast<double>(i + 1) * x[i] * x[i]);
  return slopes;
}

template <Numbers (*key)(const Numbers &)>
struct CachingRule {
  static auto augmented_primal(const auto & /*config*/, auto x) {
    return AugmentedReturn{weighted_cubes(x.value), None{}, kept_slopes<key>(x.value)};
  }
  static void reverse(const auto &config, const auto &dy, const auto &slopes, auto x) {
    for (const int lane : config.lanes())
      for (std::size_t i = 0; x.is_active() && i < slopes.size(); ++i)
        x.shadow(lane)[i] += slopes[i] * dy(lane);
  }
};
/// A function for each key, since a function has one rule.
template <Numbers (*key)(const Numbers &)>
double cubes(const Numbers &x) {
  ASSAY_RULE(CachingRule<key>, cubes<key>);
  return weighted_cubes(x);
}

const TestOptions options{.variations = off, .second_order = off};

template <Numbers (*key)(const Numbers &)>
RuleReport report_of_cache() {
  return check_rule(options, cubes<key>, Numbers{0.5, 0.7, -0.3, 1.2, 0.9});
}

template <Numbers (*key)(const Numbers &)>
void expect_found(const std::string &where) {
  const RuleReport report = report_of_cache<key>();
  ASSERT_FALSE(report.ok());
  const auto &records = report.findings[1].report.records;
  const auto failed = std::ranges::find_if(
      records, [](const testutils::Record &record) { return record.verdict != testutils::Verdict::pass; });
  ASSERT_NE(failed, records.end());
  EXPECT_EQ(failed->verdict, testutils::Verdict::wrong_state) << failed->detail;
  EXPECT_NE(failed->detail.find(where), std::string::npos) << failed->detail;
}

TEST(RuleCaches, AreFoundWhereTheKeyIsBothEnds) {
  expect_found<ends>("inputs of which only number 3 of 5");
}

TEST(RuleCaches, AreFoundWhereTheKeyIsTheSizeAndBothEnds) {
  expect_found<size_and_ends>("inputs of which only number 3 of 5");
}

TEST(RuleCaches, AreFoundWhereTheKeyIsTheLeastAndTheMost) {
  expect_found<extremes>("something is kept that is taken for these inputs");
}

TEST(RuleCaches, MayKeepEverythingByTheWholeInputs) {
  EXPECT_TRUE(report_of_cache<all>().ok());
}

} // namespace
