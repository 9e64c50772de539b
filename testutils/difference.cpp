#include "testutils/difference.hpp"

#include "testutils/finding.hpp"

#include <algorithm>
#include <cmath>

namespace assay::testutils {

static void compare_numbers(const Signature &signature, const Place &first, const Values &seen, const Values &wanted,
                            Difference &difference) {
  for (std::size_t element = 0; element < std::min(seen.size(), wanted.size()); ++element) {
    ++difference.compared;
    if (difference.row || same_bits(seen[element], wanted[element]))
      continue;
    Comparison row;
    row.place = {first.parameter, element, first.lane};
    row.path = path_of(signature, row.place, first.lane == 0 ? 1 : 2);
    row.ad = seen[element];
    row.expected = wanted[element];
    row.absolute_error = std::abs(row.ad - row.expected);
    row.relative_error = row.absolute_error / std::max(std::abs(row.ad), std::abs(row.expected));
    row.ulp_error = ulp_distance(parameter_at(signature, row.place).element_type(element), row.ad, row.expected);
    difference.row = row;
  }
}

Difference compare_derivatives(const Signature &signature, const DerivativeOutcome &seen,
                               const DerivativeOutcome &wanted) {
  Difference difference;
  for (unsigned lane = 0; lane < std::min(seen.result_tangents.size(), wanted.result_tangents.size()); ++lane)
    compare_numbers(signature, {std::nullopt, 0, lane}, seen.result_tangents[lane], wanted.result_tangents[lane],
                    difference);
  for (unsigned lane = 0; lane < std::min(seen.shadows.size(), wanted.shadows.size()); ++lane)
    for (std::size_t index = 0; index < seen.shadows[lane].size(); ++index)
      compare_numbers(signature, {index, 0, lane}, seen.shadows[lane][index], wanted.shadows[lane][index], difference);
  return difference;
}

bool same_primal(const Subject &subject, const DerivativeOutcome &left, const DerivativeOutcome &right) {
  const PrimalOutcome one{left.result.value_or(Values()), left.contents, {}},
      other{right.result.value_or(Values()), right.contents, {}};
  return (same_bits(one.contents, other.contents) && same_bits(one.result, other.result)) ||
         (subject.is_on_device() && differ_by_order(subject.signature(), one, other));
}

} // namespace assay::testutils
