// Numbers of 16 bits on the host. Would catch: numbers that a machine rounds otherwise, so that a seed has other inputs
// there, and tolerances of another type.

#include "testutils/numbers.hpp"
#include "testutils/oracle.hpp"
#include "testutils/test/hand_subject.hpp"
#include <assay/detail/half_numbers.hpp>
#include <assay/generators/stream.hpp>
#include <assay/testing/message.hpp>

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace assay::testutils {
namespace {

constexpr ElementType half = ElementType::half_precision, brain = ElementType::brain_float;

std::uint16_t bits_in_compiler(double value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}
double number_in_compiler(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<_Float16>(bits));
}
/// The upper half of a float.
double brain_number(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16U));
}

TEST(HalfNumbers, AllHaveTheValueThatTheirBitsSay) {
  for (std::uint32_t word = 0; word <= 0xffff; ++word) {
    const auto bits = static_cast<std::uint16_t>(word);
    ASSERT_TRUE(same_bits(detail::half_of_bits<detail::binary16>(bits), number_in_compiler(bits))) << word;
    ASSERT_TRUE(same_bits(detail::half_of_bits<detail::brain_float>(bits), brain_number(bits))) << word;
    if (std::isnan(brain_number(bits)) || std::isnan(number_in_compiler(bits)))
      continue;
    ASSERT_EQ(detail::half_bits_of<detail::binary16>(number_in_compiler(bits)), bits);
    ASSERT_EQ(detail::half_bits_of<detail::brain_float>(brain_number(bits)), bits);
  }
}

TEST(HalfNumbers, AreRoundedOnceToNearestAndToEven) {
  gen::Stream stream({.seed = 1, .suite = "half numbers", .name = "rounding", .purpose = "numbers"});
  for (int count = 0; count < 200000; ++count) {
    const double value =
        std::ldexp(static_cast<double>(stream.integer(-(std::int64_t{1} << 52), std::int64_t{1} << 52)) * 0x1p-51,
                   static_cast<int>(stream.integer(-28, 17)));
    ASSERT_EQ(detail::half_bits_of<detail::binary16>(value), bits_in_compiler(value)) << value;
    const double brains = rounded_to(brain, value);
    ASSERT_LE(std::abs(brains - value), std::abs(next_number(brain, brains, brains < value) - value)) << value;
  }
  EXPECT_EQ(rounded_to(half, 1 + 0x1p-11), 1);                     // a tie, to even
  EXPECT_EQ(rounded_to(half, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10); // above it, though a float would be the tie
  EXPECT_EQ(rounded_to(half, 65519.99), 65504);
  EXPECT_TRUE(std::isinf(rounded_to(half, 65520)));
  EXPECT_EQ(rounded_to(half, 0x1p-25), 0);
  EXPECT_EQ(rounded_to(half, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(rounded_to(brain, 1 + 0x1p-8), 1);
  EXPECT_EQ(rounded_to(brain, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_TRUE(std::signbit(rounded_to(brain, -0.0)));
}

TEST(HalfNumbers, HaveNeighbours) {
  EXPECT_EQ(next_number(half, 1, true), 1 + 0x1p-10);
  EXPECT_EQ(next_number(half, 1, false), 1 - 0x1p-11);
  EXPECT_EQ(next_number(half, -1, false), -1 - 0x1p-10);
  EXPECT_EQ(next_number(half, 0, false), -0x1p-24);
  EXPECT_EQ(next_number(brain, -2, true), -2 + 0x1p-7);
  EXPECT_EQ(least_number(half), 0x1p-24);
  EXPECT_EQ(least_number(brain), 0x1p-133);
  EXPECT_EQ(ulp_distance(half, 1, 1 + 0x1p-9), 2);
  EXPECT_EQ(ulp_distance(brain, 0x1p-133, 0), 1);
}

TEST(HalfNumbers, HaveTheToleranceOfTheirMantissa) {
  EXPECT_EQ(relative_tolerance({}, half), 0x1p-5);
  EXPECT_NEAR(relative_tolerance({}, brain), 0.088, 1e-3);
  Signature signature{"f", {scalar("x"), scalar("y", ElementType::single_precision)}, scalar("result")};
  EXPECT_EQ(coarsest_element(signature), ElementType::single_precision);
  signature.parameters.push_back(scalar("z", half));
  EXPECT_EQ(coarsest_element(signature), half);
  EXPECT_TRUE(has_halves(signature));
  signature.result->element = brain;
  EXPECT_EQ(coarsest_element(signature), brain);
}

/// x^2 y with a half and a float, with a derivative by x that is `factor` too large.
HandSubject product(double factor) {
  return {{"product", {scalar("x", half), scalar("y", ElementType::single_precision)}, scalar("result", half)},
          [](Arguments &a) { return Values{rounded_to(half, a[0][0] * a[0][0] * a[1][0])}; },
          [factor](const Arguments &a, Arguments &t) {
            return Values{rounded_to(half, factor * 2 * a[0][0] * a[1][0] * t[0][0] + a[0][0] * a[0][0] * t[1][0])};
          },
          [factor](const Arguments &a, const Values &seed, Arguments &s) {
            s[0][0] = rounded_to(half, s[0][0] + factor * 2 * a[0][0] * a[1][0] * seed[0]);
            s[1][0] = static_cast<float>(s[1][0] + a[0][0] * a[0][0] * seed[0]);
          }};
}

TEST(HalfNumbers, AreTooFarApartForFiniteDifferences) {
  for (const double factor : {1.0, 1.5}) {
    HandSubject subject = product(factor);
    for (const Record &record : check_gradients(subject).records)
      EXPECT_EQ(record.verdict, Verdict::oracle_unreliable) << failure_message(subject.signature(), record);
  }
}

} // namespace
} // namespace assay::testutils
