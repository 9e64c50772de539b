// Counts as formulas: what a user reads as the size of a tape has to be the number that it comes to.
#include "core/engine/explain/formula.hpp"
#include "llvm/ADT/StringMap.h"
#include <gtest/gtest.h>
#include <limits>

namespace assay::engine {
namespace {

const Formula n = Formula::symbol("n"), m = Formula::symbol("m");

std::optional<std::int64_t> value(const Formula &formula, std::int64_t of_n, std::int64_t of_m = 0) {
  return formula.evaluate([&](llvm::StringRef name) -> std::optional<std::int64_t> {
    if (name == "n")
      return of_n;
    return name == "m" ? std::optional(of_m) : std::nullopt;
  });
}

// Would catch: `8 * (n + -1 + 1)`.
TEST(Formula, CollectsLikeTerms) {
  EXPECT_EQ((n + Formula(-1) + Formula(1)).text(), "n");
  EXPECT_EQ((n + m + n).text(), "2 * n + m");
  EXPECT_EQ((n + Formula(-1) * n).text(), "0");
  EXPECT_EQ((Formula(8) * n + Formula(4) * n + Formula(3)).text(), "12 * n + 3");
}

TEST(Formula, MultipliesConstantsAndKeepsSumsInBrackets) {
  EXPECT_EQ((Formula(8) * (n + Formula(-1)) * Formula(2) * m).text(), "16 * (n - 1) * m");
  EXPECT_EQ((Formula(8) * n * Formula(0)).text(), "0");
  EXPECT_EQ((n + Formula(-2) * m).text(), "n - 2 * m");
}

TEST(Formula, IsASeriesWhereATermNamesTheCounter) {
  const Formula i = Formula::symbol("i");
  EXPECT_EQ(Formula::series(Formula(8) * m, "i", n).text(), "8 * n * m");
  const Formula triangle = Formula::series(Formula(8) * i, "i", n);
  EXPECT_EQ(triangle.text(), "sum of 8 * i over i < n");
  EXPECT_EQ(value(triangle, 5), 8 * (0 + 1 + 2 + 3 + 4));
  EXPECT_EQ((triangle + Formula(1)).text(), "(sum of 8 * i over i < n) + 1");
}

// Would catch: `(end - begin - 32) / 32 + 1` for the number of elements between two pointers.
TEST(Formula, TakesWholeMultiplesOutOfQuotients) {
  const Formula bytes = Formula(-1) * m + n + Formula(-32);
  const Formula elements = Formula::quotient(bytes, Formula(32)) + Formula(1);
  EXPECT_EQ(elements.text(), "(n - m) / 32");
  EXPECT_EQ(value(elements, 160, 64), 3);
  EXPECT_EQ(Formula::quotient(n + Formula(1), Formula(2)).text(), "(n + 1) / 2");
}

TEST(Formula, IsEvaluated) {
  EXPECT_EQ(value(Formula(8) * (n + Formula(-1)) * m, 4, 5), 120);
  EXPECT_EQ(value(Formula::quotient(n, Formula(2)), 7), 3);
  EXPECT_EQ(value(Formula::largest({Formula(0), n}), -3), 0);
  EXPECT_EQ(value(Formula::smallest({m, n}), 3, 2), 2);
}

// Would catch: a number made up from what is not known, or from an overflow.
TEST(Formula, HasNoValueWhereASymbolHasNoneOrNumbersAreTooLarge) {
  EXPECT_EQ(value(n * Formula::symbol("k"), 4), std::nullopt);
  EXPECT_EQ(value(n * m, std::numeric_limits<std::int64_t>::max(), 2), std::nullopt);
  EXPECT_EQ(value(Formula::quotient(n, m), 1, 0), std::nullopt);
}

} // namespace
} // namespace assay::engine
