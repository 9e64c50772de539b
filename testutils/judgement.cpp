#include "testutils/judgement.hpp"

#include "testutils/numbers.hpp"
#include "testutils/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::testutils {

namespace {
// An error beyond this part of the value, or of the largest value of the derivative, says too little.
constexpr double useful_part_of_value = 1e-3;
constexpr double useful_part_of_largest = 1e-6;
// Of numbers that pass through float, whose own digits are as many as 1e-7 is part of the largest.
constexpr double useful_part_of_largest_float = 1e-4;
// An error beyond this part of the value leaves it open whether there is one.
constexpr double most_vague_part = 0.25;
// Roundings that a sum of products collects, in units of its terms.
constexpr double rounding_steps = 64;
} // namespace

double scale_of(const std::vector<Expectation> &expectations) {
  double largest = 0;
  for (const Expectation &expectation : expectations)
    if (std::isfinite(expectation.guess.value))
      largest = std::max(largest, std::abs(expectation.guess.value));
  return largest;
}

/// What arithmetic beneath the smallest normal number loses.
static double underflow(const Signature &signature) {
  const double least =
      has_halves(signature) ? least_number(ElementType::half_precision) : least_number(coarsest_element(signature));
  return rounding_steps * least;
}

Compared compare(const Signature &signature, const Tolerance &tolerance, const Expectation &expectation, double total,
                 double incoming, unsigned width) {
  const ElementType type = parameter_at(signature, expectation.place).element_type(expectation.place.element);
  const Guess &guess = expectation.guess;
  Comparison row;
  row.place = expectation.place;
  row.path = path_of(signature, expectation.place, width);
  row.ad = incoming == 0 ? total : total - incoming;
  row.expected = guess.value;
  row.incoming = incoming;
  row.absolute_error = std::abs(row.ad - row.expected);
  row.relative_error =
      row.absolute_error == 0 ? 0 : row.absolute_error / std::max(std::abs(row.ad), std::abs(row.expected));
  row.ulp_error = ulp_distance(type, row.ad, row.expected);
  row.oracle_error = guess.error;
  row.oracle_step = guess.step;
  const double size = std::max(std::abs(row.ad), std::abs(row.expected));
  const Tolerance own = tolerance_at(tolerance, signature, expectation.place);
  const double whole = absolute_tolerance(own, type);
  const double scale = guess.value == 0 ? 1 : expectation.scale; // A zero has none.
  const double absolute = scaled_absolute_tolerance(own, type, scale);
  const double beside = relative_tolerance(own, type) * (std::isfinite(size) ? size : 0) + underflow(signature) +
                        rounding_of_sum(type) * (expectation.magnitude + std::abs(incoming));
  const double plain = absolute + beside;
  row.tolerance = plain + error_margin * guess.error;
  // Nor does an oracle tell that a derivative is finite of which it knows no digit.
  const bool is_vague =
      !std::isfinite(row.ad) && guess.error > std::max(most_vague_part * std::abs(guess.value), absolute);
  const bool oracle_failed = guess.trouble == fdm::Trouble::non_finite || guess.trouble == fdm::Trouble::no_room ||
                             !std::isfinite(guess.value) || is_vague;
  // A NaN of the derivative is beyond every tolerance.
  const double difference =
      std::isnan(row.absolute_error) ? std::numeric_limits<double>::infinity() : row.absolute_error;
  if (difference <= plain)
    return {row, Agreement::agrees, fdm::Trouble::none, guess.radius, guess.coarse, absolute};
  if (oracle_failed || !(difference > row.tolerance))
    return {row, Agreement::undecided, guess.trouble, guess.radius, guess.coarse, absolute};
  Compared compared{row, Agreement::differs, guess.trouble, guess.radius, guess.coarse, absolute};
  compared.by_scale = difference <= whole + beside;
  return compared;
}

void settle(std::vector<Compared> &all) {
  double largest = 0;
  for (const Compared &one : all)
    if (std::isfinite(one.comparison.expected))
      largest = std::max(largest, std::abs(one.comparison.expected));
  for (Compared &one : all) {
    const Comparison &row = one.comparison;
    const double part = one.coarse ? useful_part_of_largest_float : useful_part_of_largest;
    const double size = std::max(std::isfinite(row.ad) ? std::abs(row.ad) : 0, std::abs(row.expected));
    const double useful = std::max({useful_part_of_value * size, part * largest, one.absolute});
    const bool is_useful = one.trouble == fdm::Trouble::none && row.oracle_error <= useful;
    if (one.agreement == Agreement::undecided && is_useful)
      one.agreement = Agreement::agrees;
    one.by_chance = one.agreement == Agreement::agrees && !is_useful;
  }
}

std::size_t count_nonzero(const std::vector<Compared> &all) {
  const auto is_nonzero = [](const Compared &one) {
    return !(std::max(std::abs(one.comparison.ad), std::abs(one.comparison.expected)) <= one.absolute);
  };
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_nonzero));
}

bool is_confirmed_by(const Compared &row, const Guess &other) {
  const Comparison &number = row.comparison;
  const double plain = number.tolerance - error_margin * number.oracle_error;
  const bool contradicts = std::abs(other.value - number.expected) > error_margin * (other.error + number.oracle_error);
  return other.trouble == fdm::Trouble::none && contradicts &&
         std::abs(number.ad - other.value) <= plain + error_margin * other.error;
}

// Greater is worse: first how it was judged, then how far it is beyond its tolerance.
static std::pair<Agreement, double> badness(const Compared &one) {
  const Comparison &row = one.comparison;
  const double excess = row.absolute_error / row.tolerance;
  return {one.agreement, std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess};
}

std::vector<Comparison> sorted_by_badness(const std::vector<Compared> &all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto left = badness(all[a]), right = badness(all[b]);
    return left == right ? a < b : left > right;
  });
  std::vector<Comparison> rows;
  for (const std::size_t index : order)
    rows.push_back(all[index].comparison);
  return rows;
}

} // namespace assay::testutils
