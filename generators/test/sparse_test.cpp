// Patterns are sorted, complete where they promise it, and shrink by losing places only.
#include <assay/generators.hpp>
#include <assay/generators/eigen.hpp>

#include "generators/test/expect_always.hpp"

#include <algorithm>

namespace assay::gen {
namespace {

bool is_sound(const SparsePattern &pattern) {
  bool sound = pattern.row_starts.size() == pattern.rows + 1 && pattern.row_starts.back() == pattern.size();
  for (std::size_t row = 0; sound && row < pattern.rows; ++row)
    for (std::size_t place = pattern.row_starts[row]; place < pattern.row_starts[row + 1]; ++place)
      sound = sound && pattern.columns_of[place] < pattern.columns &&
              (place == pattern.row_starts[row] || pattern.columns_of[place - 1] < pattern.columns_of[place]);
  return sound;
}

bool has(const SparsePattern &pattern, std::size_t row, std::size_t column) {
  const auto begin = pattern.columns_of.begin();
  return std::find(begin + std::ptrdiff_t(pattern.row_starts[row]), begin + std::ptrdiff_t(pattern.row_starts[row + 1]),
                   column) != begin + std::ptrdiff_t(pattern.row_starts[row + 1]);
}

TEST(SparsePatternGenerator, HasAboutItsDensityAndShrinksToNothing) {
  std::size_t places = 0;
  for (std::uint32_t index = 0; index < 100; ++index)
    places += draw(sparse_pattern(10, 8, 0.25), Stream({.seed = 4, .index = index})).value().size();
  EXPECT_NEAR(double(places) / 8000, 0.25, 0.03);
  expect_always(sparse_pattern(4, 5, 0.5), is_sound);
  EXPECT_EQ(simplest(sparse_pattern(4, 5, 0.5)).size(), 0);
  EXPECT_THROW(sparse_pattern(2, 2, 1.5), std::invalid_argument);
}

TEST(SparsePatternWithDiagonal, NeverLosesTheDiagonal) {
  const auto keeps_diagonal = [](const SparsePattern &pattern) {
    return is_sound(pattern) && has(pattern, 0, 0) && has(pattern, 1, 1) && has(pattern, 3, 3);
  };
  expect_always(sparse_pattern_with_diagonal(4, 0.3), keeps_diagonal);
  EXPECT_EQ(simplest(sparse_pattern_with_diagonal(4, 0.9)).size(), 4);
}

TEST(StructuredPatterns, AreWhatTheyAreCalled) {
  EXPECT_EQ(banded_pattern(4, 4, 1, 0).columns_of, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(arrow_pattern(3).columns_of, (std::vector<std::size_t>{0, 1, 2, 0, 1, 0, 2}));
  EXPECT_EQ(block_diagonal_pattern(3, 2).columns_of, (std::vector<std::size_t>{0, 1, 0, 1, 2}));
  EXPECT_THROW(block_diagonal_pattern(3, 0), std::invalid_argument);
}

TEST(Sparse, HasANumberForEachPlaceAlsoWhileItShrinks) {
  expect_always(sparse(sparse_pattern(3, 4, 0.5), nonzero()), [](const SparseMatrix<double> &m) {
    return m.values.size() == m.pattern.size() && std::count(m.values.begin(), m.values.end(), 0) == 0;
  });
}

TEST(Sparse, BecomesAnEigenMatrixWithTheSamePattern) {
  const auto matrix = draw(sparse(arrow_pattern(4), nonzero()), Stream({.seed = 9})).value();
  const Eigen::SparseMatrix<double> eigen = to_eigen(matrix);
  EXPECT_EQ(eigen.nonZeros(), 10);
  EXPECT_EQ(eigen.coeff(0, 3), matrix.values[3]);
  EXPECT_EQ(eigen.coeff(2, 1), 0);
}

} // namespace
} // namespace assay::gen
