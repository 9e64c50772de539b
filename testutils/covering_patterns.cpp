#include "testutils/covering_patterns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace assay::testutils {

namespace {

constexpr std::size_t most_compared = 16, candidates = 24;
using Four = std::array<std::size_t, 4>;

std::vector<Four> fours_of(std::size_t choices) {
  std::vector<Four> fours;
  for (std::size_t a = 0; a < choices; ++a)
    for (std::size_t b = a + 1; b < choices; ++b)
      for (std::size_t c = b + 1; c < choices; ++c)
        for (std::size_t d = c + 1; d < choices; ++d)
          fours.push_back({a, b, c, d});
  return fours;
}

/// Which of the sixteen ways the row has of these four, as a bit.
std::uint16_t way_of(const std::vector<bool> &row, const Four &four) {
  unsigned way = 0;
  for (const std::size_t choice : four)
    way = way << 1U | (row[choice] ? 1U : 0U);
  return static_cast<std::uint16_t>(1U << way);
}

std::vector<bool> random_row(std::size_t choices, gen::Stream &stream) {
  std::vector<bool> row;
  while (row.size() < choices)
    row.push_back(stream.integer(0, 1) != 0);
  return row;
}

} // namespace

std::vector<std::vector<bool>> covering_patterns(std::size_t choices, std::size_t rows, gen::Stream &stream) {
  const std::vector<Four> fours = fours_of(std::min(choices, most_compared));
  std::vector<std::uint16_t> covered(fours.size());
  std::vector<std::vector<bool>> chosen;
  while (chosen.size() < rows) {
    std::vector<bool> best;
    std::ptrdiff_t most = -1;
    for (std::size_t candidate = 0; candidate < candidates; ++candidate) {
      std::vector<bool> row = random_row(choices, stream);
      std::ptrdiff_t fresh = 0;
      for (std::size_t index = 0; index < fours.size(); ++index)
        fresh += (covered[index] & way_of(row, fours[index])) == 0;
      if (fresh > most) {
        most = fresh;
        best = std::move(row);
      }
    }
    for (std::size_t index = 0; index < fours.size(); ++index)
      covered[index] = static_cast<std::uint16_t>(covered[index] | way_of(best, fours[index]));
    chosen.push_back(std::move(best));
  }
  return chosen;
}

} // namespace assay::testutils
