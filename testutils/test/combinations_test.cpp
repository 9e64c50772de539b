// Which activity combinations there are.

#include "testutils/combinations.hpp"
#include "testutils/covering_patterns.hpp"
#include "testutils/test/subjects.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

std::vector<Combination> of_mode(const std::vector<Combination> &all, Mode mode) {
  std::vector<Combination> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some),
               [=](const Combination &one) { return one.mode == mode; });
  return some;
}

TEST(Combinations, TwoScalarsAreEachConstOrDifferentiatedInBothModes) {
  HandSubject subject = product();
  const std::vector<Combination> all = combinations_of(subject, {{2}, {3}});
  EXPECT_EQ(of_mode(all, Mode::forward).size(), 6U); // 3 with something active x result Duplicated, DuplicatedNoNeed
  EXPECT_EQ(of_mode(all, Mode::reverse).size(), 3U); // 3 with something active x result Active
}

TEST(Combinations, WrittenBufferIsNeverConst) {
  HandSubject subject = update();
  for (const Combination &one : combinations_of(subject, {{2}, {1, 2, 3}, {4, 5, 6}}))
    EXPECT_NE(one.arguments[2], Activity::constant) << describe(subject.signature(), one);
}

TEST(Combinations, BufferThatIsOnlyReadHasNoNoNeedForm) {
  HandSubject subject = weighted_squares(2);
  for (const Combination &one : combinations_of(subject, {{1, 2}, {3, 4}}))
    EXPECT_NE(one.arguments[0], Activity::duplicated_no_need) << describe(subject.signature(), one);
}

TEST(Combinations, IntegersAndConstOnlyArgumentsAreAlwaysConst) {
  Signature signature = product().signature();
  signature.parameters[1].constant_only = true;
  HandSubject subject(signature, [](Arguments &x) { return Values{x[0][0] * x[1][0]}; }, nullptr, nullptr);
  const std::vector<Combination> all = combinations_of(subject, {{2}, {3}});
  EXPECT_EQ(all.size(), 3U);
  for (const Combination &one : all)
    EXPECT_EQ(one.arguments[1], Activity::constant);
}

TEST(Combinations, EachVariationIsCheckedOnceAtLeastAndEachCombinationInOne) {
  HandSubject subject = product();
  CheckOptions options;
  options.modes = {Mode::reverse};
  options.variations = Variations::one_each;
  const std::vector<Combination> all = combinations_of(subject, {{2}, {3}}, options);
  EXPECT_EQ(all.size(),
            3U + 19U); // widths 1, 2, 3, 4, 8 x two forms x run-time activity on and off, less the plain one
  const auto count = [&](const auto &holds) { return std::count_if(all.begin(), all.end(), holds); };
  EXPECT_EQ(count([](const Combination &one) { return one.width == 8; }), 4);
  EXPECT_EQ(count([](const Combination &one) { return one.form == Form::split; }), 10);
  EXPECT_EQ(count([](const Combination &one) { return one.runtime_activity == RuntimeActivity::on; }), 10);
  for (std::size_t index = 0; index < all.size(); ++index)
    EXPECT_EQ(std::count(all.begin(), all.end(), all[index]), 1) << describe(subject.signature(), all[index]);
}

TEST(Combinations, ABudgetDrawsTheSameOnesForTheSameSeed) {
  HandSubject subject = product();
  CheckOptions options;
  options.variations = Variations::one_each;
  const std::vector<Combination> all = combinations_of(subject, {{2}, {3}}, options);
  options.budget = 12;
  const std::vector<Combination> some = combinations_of(subject, {{2}, {3}}, options);
  EXPECT_EQ(some.size(), 12U);
  EXPECT_EQ(some, combinations_of(subject, {{2}, {3}}, options));
  for (const Combination &one : some)
    EXPECT_NE(std::find(all.begin(), all.end(), one), all.end());
  options.seed = 2;
  EXPECT_NE(some, combinations_of(subject, {{2}, {3}}, options));
}

TEST(Combinations, ManyArgumentsAreCheckedTogetherEachWithoutAndEachAlone) {
  Signature signature{"sum", {}, scalar("result")};
  Arguments inputs;
  for (char name = 'a'; name <= 'h'; ++name) {
    signature.parameters.push_back(scalar(std::string(1, name)));
    inputs.push_back({1});
  }
  HandSubject subject(signature, [](Arguments &) { return Values{1}; }, nullptr, nullptr);
  const OfferedCombinations offered = offered_combinations({{&subject, inputs}}, {});
  EXPECT_EQ(of_mode(offered.usual, Mode::reverse).size(), 17U);
  EXPECT_EQ(of_mode(offered.usual, Mode::forward).size(), 34U);
  EXPECT_EQ(combinations_of(subject, inputs), all_of(offered));
  for (const Combination &pattern : offered.patterns)
    EXPECT_EQ(std::find(offered.usual.begin(), offered.usual.end(), pattern), offered.usual.end());
  CheckOptions options;
  options.budget = 20; // Patterns come behind all others.
  for (const Combination &one : combinations_of(subject, inputs, options))
    EXPECT_NE(std::find(offered.usual.begin(), offered.usual.end(), one), offered.usual.end());
}

/// A rule that is wrong for one pattern of four arguments, whatever the others are.
TEST(Combinations, PatternsHaveNearlyAllWaysOfAnyFourOfManyArguments) {
  gen::Stream stream({.seed = 1, .suite = "", .name = "", .purpose = "patterns"});
  const std::vector<std::vector<bool>> rows = covering_patterns(8, 40, stream);
  std::size_t covered = 0, all = 0;
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b)
      for (std::size_t c = b + 1; c < 8; ++c)
        for (std::size_t d = c + 1; d < 8; ++d)
          for (unsigned way = 0; way < 16; ++way) {
            ++all;
            covered += std::any_of(rows.begin(), rows.end(), [&](const std::vector<bool> &row) {
              return row[a] == ((way & 1U) != 0) && row[b] == ((way & 2U) != 0) && row[c] == ((way & 4U) != 0) &&
                     row[d] == ((way & 8U) != 0);
            });
          }
  EXPECT_GE(covered * 100, all * 99) << covered << " of " << all;
}

TEST(Combinations, ReportCountsWhatWasChecked) {
  HandSubject subject = update();
  std::size_t seen = 0;
  CheckOptions options;
  options.on_record = [&](const Record &) { ++seen; };
  const Report report = check_gradients(subject, options);
  EXPECT_EQ(report.checked, report.passed + report.failed + report.undecided);
  EXPECT_EQ(report.checked, report.records.size());
  EXPECT_EQ(report.checked, seen);
  EXPECT_EQ(report.checked, 16U); // two modes x a: 2 x x: 2 x y: 2
}

} // namespace
} // namespace assay::testutils
