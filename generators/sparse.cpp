#include <assay/generators/sparse.hpp>

#include "random_numbers.hpp"

#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace assay::gen {

namespace {

using IsPlace = std::function<bool(std::size_t row, std::size_t column)>;

SparsePattern pattern_of(std::size_t rows, std::size_t columns, const IsPlace &is_place) {
  SparsePattern pattern{rows, columns, {0}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      if (is_place(row, column))
        pattern.columns_of.push_back(column);
    pattern.row_starts.push_back(pattern.columns_of.size());
  }
  return pattern;
}

/// Which of the places may go while a pattern shrinks.
enum class Kept : std::uint8_t { none, diagonal };

SparsePattern without(const SparsePattern &pattern, std::size_t first, std::size_t last, Kept kept) {
  std::size_t place = 0;
  std::vector<bool> stays(pattern.rows * pattern.columns);
  for (std::size_t row = 0; row < pattern.rows; ++row)
    for (; place < pattern.row_starts[row + 1]; ++place) {
      const std::size_t column = pattern.columns_of[place];
      const bool goes = place >= first && place < last && !(kept == Kept::diagonal && row == column);
      stays[row * pattern.columns + column] = !goes;
    }
  return pattern_of(pattern.rows, pattern.columns,
                    [&](std::size_t row, std::size_t column) { return stays[row * pattern.columns + column]; });
}

/// Halves of the places go first, then quarters, at last single ones.
std::vector<SparsePattern> simpler_patterns(const SparsePattern &pattern, Kept kept) {
  std::vector<SparsePattern> simpler;
  for (std::size_t length = pattern.size(); length > 0; length /= 2)
    for (std::size_t first = 0; first < pattern.size(); first += length) {
      SparsePattern smaller = without(pattern, first, first + length, kept);
      if (smaller.size() < pattern.size())
        simpler.push_back(std::move(smaller));
    }
  return simpler;
}

rc::Gen<SparsePattern> random_pattern(std::size_t rows, std::size_t columns, double density, Kept kept) {
  if (!(density >= 0 && density <= 1))
    throw std::invalid_argument("a density lies in [0, 1]");
  return [=](rc::Random random, int) {
    const SparsePattern drawn = pattern_of(rows, columns, [&](std::size_t row, std::size_t column) {
      const bool chosen = detail::uniform(random) < density;
      return chosen || (kept == Kept::diagonal && row == column);
    });
    return rc::shrinkable::shrinkRecur(drawn, [kept](const SparsePattern &pattern) {
      return rc::seq::fromContainer(simpler_patterns(pattern, kept));
    });
  };
}

} // namespace

rc::Gen<SparsePattern> sparse_pattern(std::size_t rows, std::size_t columns, double density) {
  return random_pattern(rows, columns, density, Kept::none);
}

rc::Gen<SparsePattern> sparse_pattern_with_diagonal(std::size_t n, double density) {
  return random_pattern(n, n, density, Kept::diagonal);
}

SparsePattern banded_pattern(std::size_t rows, std::size_t columns, std::size_t below, std::size_t above) {
  return pattern_of(rows, columns, [=](std::size_t row, std::size_t column) {
    return row <= column + below && column <= row + above;
  });
}

SparsePattern arrow_pattern(std::size_t n) {
  return pattern_of(n, n, [](std::size_t row, std::size_t column) { return row == 0 || column == 0 || row == column; });
}

SparsePattern block_diagonal_pattern(std::size_t n, std::size_t block) {
  if (block == 0)
    throw std::invalid_argument("a block has at least one row");
  return pattern_of(n, n, [=](std::size_t row, std::size_t column) { return row / block == column / block; });
}

} // namespace assay::gen
