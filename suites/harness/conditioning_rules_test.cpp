// Would catch: a wrong rule that a compiled test excuses because the problem is ill-conditioned.

#include <assay/check.h>
#include <assay/testing.hpp>

#include <cmath>

#include "cli/test/programs/ill_conditioned_rules.c"

namespace {

using namespace assay;

const TestOptions usual{.variations = off};

double of_six(const std::array<double, 6> &x) {
  return variance(x.data(), 6);
}

TEST(ConditioningOfRules, SinglePrecisionIsFound) {
  EXPECT_GT(check_reverse_all(usual, squared, 0.7).failed, 0U);
}

TEST(ConditioningOfRules, SinglePrecisionIsFoundByReassessment) {
  const TestOptions reassessed{.variations = off, .oracle = wide_reassessment};
  EXPECT_GT(check_reverse_all(reassessed, squared, 0.7).failed, 0U);
}

TEST(ConditioningOfRules, SinglePrecisionIsFoundBeneathCancellation) {
  EXPECT_GT(check_reverse_all(usual, of_six, std::array{0.6, -1.7, 0.3, 2.2, 1.1, -0.4}).failed, 0U);
}

/// Nearer to 0 rounding takes as many digits as the rules.
constexpr double places[] = {0.7, 30, 300};

TEST(ConditioningOfRules, ConstantsThatAreOffAreFound) {
  unsigned forward = 0, reverse = 0;
  for (const double x : places) {
    forward += check_forward_all(usual, slope_at_zero, x).failed;
    reverse += check_reverse_all(usual, slope_at_zero, x).failed;
  }
  EXPECT_GT(forward, 0U);
  EXPECT_GT(reverse, 0U);
}

} // namespace
