// Would catch: a right slope beside a weak kink that is called wrong because noise hides the kink, and a wrong number
// of a smooth function that is excused as such a slope.

#include "testutils/one_sided.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::testutils;

/// A derivative of `ad` where differences to both sides give `expected`.
Compared row(double ad, double expected) {
  Compared compared;
  compared.comparison.ad = ad;
  compared.comparison.expected = expected;
  return compared;
}

Guess guess(double value, double error) {
  Guess one;
  one.value = value;
  one.error = error;
  return one;
}

// fmax(0.902 u, 0.918 u) in float at u = 0, along a tangent.
TEST(OneSided, ASlopeBesideAWeakKinkIsSeenThroughNoiseThatIsLargerThanTheStep) {
  const Guess below = guess(5.15784, 0.5), above = guess(5.24879, 0.5);
  EXPECT_FALSE(may_lie_between_sides(row(5.15956, 5.20413), below, above));
  EXPECT_TRUE(looks_one_sided(row(5.15956, 5.20413), below, above));
  EXPECT_TRUE(looks_one_sided(row(5.2487, 5.20413), below, above)) << "the other side";
}

TEST(OneSided, AWrongNumberOfASmoothFunctionIsNoSlopeBesideAKink) {
  EXPECT_FALSE(looks_one_sided(row(5.15956, 5.20413), guess(5.2038, 0.5), guess(5.2045, 0.5)));
  EXPECT_FALSE(looks_one_sided(row(5.15956, 5.20413), guess(5.2238, 0.5), guess(5.1845, 0.5))) << "noise";
}

TEST(OneSided, ANumberBeyondBothSidesIsNoSlope) {
  EXPECT_FALSE(looks_one_sided(row(5.05, 5.20413), guess(5.15784, 0.5), guess(5.24879, 0.5)));
}

TEST(OneSided, DifferencesThatAreNotFiniteSayNothing) {
  Guess below = guess(5.15784, 0.5);
  below.trouble = assay::fdm::Trouble::non_finite;
  EXPECT_FALSE(looks_one_sided(row(5.15956, 5.20413), below, guess(5.24879, 0.5)));
}

} // namespace
