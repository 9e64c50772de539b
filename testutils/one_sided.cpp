#include "testutils/one_sided.hpp"

#include "testutils/oracle.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace assay::testutils {

namespace {

// Sides whose errors are beyond this part of the step between them say too little.
constexpr double useful_part_of_gap = 1e-3;
// What is beyond both sides has to be so by more than this part of the step between them.
constexpr double clear_part_of_gap = 1e-2;
// How far noise may blur where a mean of two slopes lies, in parts of the distance from one of them to it.
constexpr double blurred_part = 0.25;

/// The tolerance of the number without the error of the oracle that could not tell.
double plain_tolerance(const Comparison &row) {
  return row.tolerance - error_margin * row.oracle_error;
}

} // namespace

SideVerdict compare_with_sides(const Compared &row, const Guess &below, const Guess &above) {
  const double ad = row.comparison.ad, gap = std::abs(above.value - below.value);
  const double error = below.error + above.error;
  const bool is_kink = below.trouble == fdm::Trouble::none && above.trouble == fdm::Trouble::none &&
                       std::isfinite(gap) && error <= useful_part_of_gap * gap;
  if (!is_kink || !std::isfinite(ad))
    return SideVerdict::unknown;
  double tolerance = plain_tolerance(row.comparison);
  if (!std::isfinite(tolerance) || tolerance > useful_part_of_gap * gap)
    return SideVerdict::unknown;
  if (std::abs(ad - below.value) <= tolerance + error_margin * below.error)
    return SideVerdict::left;
  if (std::abs(ad - above.value) <= tolerance + error_margin * above.error)
    return SideVerdict::right;
  const double clear = clear_part_of_gap * gap + tolerance;
  const bool is_outside =
      ad < std::min(below.value, above.value) - clear || ad > std::max(below.value, above.value) + clear;
  return is_outside ? SideVerdict::outside : SideVerdict::between;
}

bool may_lie_between_sides(const Compared &row, const Guess &below, const Guess &above) {
  const double ad = row.comparison.ad, margin = error_margin * (below.error + above.error);
  const bool may_be_kink = std::abs(above.value - below.value) > below.error + above.error;
  const double slack = plain_tolerance(row.comparison) + margin;
  return may_be_kink && ad >= std::min(below.value, above.value) - slack &&
         ad <= std::max(below.value, above.value) + slack;
}

bool looks_one_sided(const Compared &row, const Guess &below, const Guess &above) {
  if (below.trouble != fdm::Trouble::none || above.trouble != fdm::Trouble::none)
    return false;
  const double ad = row.comparison.ad, beyond = row.comparison.expected - ad;
  const auto is_pattern = [&](double same, double other) {
    return std::abs(ad - same) <= blurred_part * std::abs(beyond) &&
           std::abs(other - ad - 2 * beyond) <= 2 * blurred_part * std::abs(beyond);
  };
  return is_pattern(below.value, above.value) || is_pattern(above.value, below.value);
}

std::string describe(SideVerdict verdict, const Comparison &row, const Guess &below, const Guess &above) {
  switch (verdict) {
  case SideVerdict::unknown:
    return {};
  case SideVerdict::left:
    return fmt::format("one-sided: equals the left derivative at {}", row.path);
  case SideVerdict::right:
    return fmt::format("one-sided: equals the right derivative at {}", row.path);
  case SideVerdict::between:
    return fmt::format("at {} the function has a kink, and the derivative {:.12g} lies between the left one, {:.12g}, "
                       "and the right one, {:.12g}",
                       row.path, row.ad, below.value, above.value);
  case SideVerdict::outside:
    return fmt::format("at {} the function has a kink, and the derivative {:.12g} is neither the left one, {:.12g}, "
                       "nor the right one, {:.12g}, nor between them",
                       row.path, row.ad, below.value, above.value);
  }
  return {};
}

} // namespace assay::testutils
