// Would catch: an extent that is computed with the wrong precedence, or that overflows unseen.

#include "core/jit/integer_formula.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;

std::int64_t value_of(std::string_view text) {
  std::size_t position = 0;
  const IntegerFormula formula = read_formula(text, position, {"n", "lda"});
  EXPECT_EQ(position, text.size()) << text;
  return formula.value([](const std::string &name) { return name == "n" ? 5 : name == "lda" ? -7 : 0; });
}

TEST(IntegerFormula, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value_of("2+3*4"), 14);
  EXPECT_EQ(value_of("(2+3)*4"), 20);
  EXPECT_EQ(value_of("10-3-2"), 5);
  EXPECT_EQ(value_of("-n*2"), -10);
  EXPECT_EQ(value_of("7/2*2"), 6);
  EXPECT_EQ(value_of("max(1, 1 + (n-1)*abs(lda))"), 29);
  EXPECT_EQ(value_of("min(n, lda)"), -7);
}

TEST(IntegerFormula, StopsWhereItEnds) {
  std::size_t position = 0;
  EXPECT_EQ(read_formula("n+1 x 4]", position, {"n"}).text(), "n+1");
  EXPECT_EQ(position, 3U);
}

TEST(IntegerFormula, PointsToWhatDoesNotFit) {
  const auto position_of = [](std::string_view text) -> std::size_t {
    std::size_t position = 0;
    try {
      static_cast<void>(read_formula(text, position, {}));
    } catch (const FormulaError &error) {
      return error.position;
    }
    ADD_FAILURE() << text << " was accepted";
    return 0;
  };
  EXPECT_EQ(position_of(""), 0U);
  EXPECT_EQ(position_of("n+"), 2U);
  EXPECT_EQ(position_of("(n"), 2U);
  EXPECT_EQ(position_of("sqrt(n)"), 0U);
  EXPECT_EQ(position_of("max(n)"), 5U);
  EXPECT_EQ(position_of("99999999999999999999"), 0U);
}

TEST(IntegerFormula, SaysWhereANumberLeaves64BitsOrIsDividedByZero) {
  EXPECT_THROW(value_of("9223372036854775807+1"), std::range_error);
  EXPECT_THROW(value_of("4611686018427387904*n"), std::range_error);
  EXPECT_THROW(value_of("n/(n-5)"), std::range_error);
}

} // namespace
