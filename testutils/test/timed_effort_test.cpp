// Would catch: a compiled test of a slow function without end, one that leaves out what there is time for, and one that
// takes what the user has named.

#include "testutils/timed_effort.hpp"

#include "testutils/test/subjects.hpp"

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

CheckOptions at_one_point(const HandSubject &subject) {
  CheckOptions options;
  options.seconds = 20;
  options.points = {random_inputs(subject.signature(), options, 0)};
  return options;
}

TEST(TimedEffort, LeavesNothingOutOfQuickFunctions) {
  HandSubject subject = update();
  const CheckOptions before = at_one_point(subject);
  CheckOptions options = before;
  EXPECT_EQ(fit_into_time(subject, options, 1e-6), "");
  EXPECT_EQ(options.depth, Depth::every_check);
  EXPECT_EQ(options.oracle, OracleChoice::automatic);
  EXPECT_EQ(options.shrink_steps, before.shrink_steps);
  EXPECT_TRUE(options.combinations.empty());
  EXPECT_EQ(fit_into_time(subject, options), "");
}

TEST(TimedEffort, TakesAFewCombinationsOfSlowFunctions) {
  HandSubject subject = update();
  CheckOptions options = at_one_point(subject), again = options;
  const std::string left_out = fit_into_time(subject, options, 0.125);
  EXPECT_NE(left_out.find(" combinations, only the derivative at each, no wide arithmetic: a call takes about 0.12 s"),
            std::string::npos)
      << left_out;
  EXPECT_EQ(options.depth, Depth::derivative);
  EXPECT_GE(options.combinations.size(), 2U);
  EXPECT_LT(options.combinations.size(), combinations_of(subject, options.points.front(), again).size());
  static_cast<void>(fit_into_time(subject, again, 0.125));
  EXPECT_EQ(options.combinations, again.combinations);
}

TEST(TimedEffort, KeepsWhatIsNamed) {
  HandSubject subject = update();
  CheckOptions options = at_one_point(subject);
  options.combinations = combinations_of(subject, options.points.front(), options);
  const std::size_t named = options.combinations.size();
  static_cast<void>(fit_into_time(subject, options, 0.125));
  EXPECT_EQ(options.combinations.size(), named);
  EXPECT_EQ(options.depth, Depth::derivative);
}

TEST(TimedEffort, HasNoLimitWhereNoneIsAskedFor) {
  HandSubject subject = update();
  CheckOptions options = at_one_point(subject);
  options.seconds = 0;
  EXPECT_EQ(fit_into_time(subject, options), "");
  EXPECT_EQ(options.depth, Depth::every_check);
}

} // namespace
} // namespace assay::testutils
