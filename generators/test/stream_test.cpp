// The bits themselves: known answers, independence of names, and numbers made of them.
#include <assay/generators.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace assay::gen {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(HashBytes, IsFowlerNollVo1a) {
  EXPECT_EQ(hash_bytes(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(hash_bytes("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(hash_bytes("foobar"), 0x85944171f73967e8ULL);
}

TEST(Stream, IsPhiloxWithTheDocumentedKeyAndCounter) {
  Stream stream(0x0123456789abcdefULL, 0xfedcba9876543210ULL, 7);
  const std::array<std::uint32_t, 2> key{0x89abcdef, 0x01234567};
  const Words first = philox({0, 7, 0x76543210, 0xfedcba98}, key);
  const Words second = philox({1, 7, 0x76543210, 0xfedcba98}, key);
  EXPECT_EQ(stream.next(), first[0] | static_cast<std::uint64_t>(first[1]) << 32);
  EXPECT_EQ(stream.next(), first[2] | static_cast<std::uint64_t>(first[3]) << 32);
  EXPECT_EQ(stream.next(), second[0] | static_cast<std::uint64_t>(second[1]) << 32);
}

TEST(Stream, DependsOnEveryPartOfItsNameAndOnNothingElse) {
  const StreamName name{.seed = 1, .suite = "Mul", .name = "Gradients", .purpose = "input", .index = 2};
  EXPECT_EQ(Stream(name).next(), Stream(name).next());
  std::vector<StreamName> others(6, name);
  others[0].seed = 2;
  others[1].suite = "Mu";
  others[2].name = "lGradients";
  others[3].purpose = "tangent";
  others[4].index = 3;
  others[5].suite = "Mu";
  others[5].name = "lGradients"; // The same letters, divided differently.
  std::set<std::uint64_t> firsts{Stream(name).next()};
  for (const StreamName &other : others)
    EXPECT_TRUE(firsts.insert(Stream(other).next()).second);
}

TEST(Stream, GivesTheSameBitsOnEveryMachine) {
  Stream stream({.seed = 42, .suite = "Suite", .name = "Case", .purpose = "purpose", .index = 1});
  EXPECT_EQ(stream.next(), 13551837413596122831ULL);
  EXPECT_EQ(stream.uniform(), 0x1.8dbc843caee7p-4);
  EXPECT_EQ(stream.integer(-10, 10), -3);
  EXPECT_EQ(stream.normal(), -0x1.2650845218a86p-2);
  EXPECT_EQ(stream.tangent(), -5.91);
}

TEST(Uniform, IsInTheUnitIntervalAndEven) {
  Stream stream({.seed = 3});
  double sum = 0, squares = 0;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    const double value = stream.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0.5, 0.01);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.01);
}

TEST(Integer, HitsBothEndsAndNothingBeyond) {
  Stream stream({.seed = 4});
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i)
    seen.insert(stream.integer(-2, 3));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(stream.integer(5, 5), 5);
  EXPECT_THROW(stream.integer(1, 0), std::invalid_argument);
  EXPECT_NO_THROW(stream.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

TEST(Normal, HasTheDistributionOfANormal) {
  Stream stream({.seed = 5});
  constexpr int count = 20000;
  const std::vector<double> thresholds{-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3};
  std::vector<int> below(thresholds.size());
  for (int i = 0; i < count; ++i) {
    const double value = stream.normal();
    for (std::size_t t = 0; t < thresholds.size(); ++t)
      below[t] += value < thresholds[t] ? 1 : 0;
  }
  for (std::size_t t = 0; t < thresholds.size(); ++t)
    EXPECT_NEAR(static_cast<double>(below[t]) / count, 0.5 * std::erfc(-thresholds[t] / std::sqrt(2.0)), 0.015);
}

TEST(Tangent, IsANonzeroDecimalOfTwoDigits) {
  Stream stream({.seed = 6});
  int negative = 0;
  for (int i = 0; i < 2000; ++i) {
    const double value = stream.tangent();
    EXPECT_NE(value, 0);
    EXPECT_LE(std::fabs(value), 9);
    EXPECT_EQ(std::round(value * 100) / 100, value);
    negative += value < 0 ? 1 : 0;
  }
  EXPECT_NEAR(negative, 1000, 150);
}

} // namespace
} // namespace assay::gen
