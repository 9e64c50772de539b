#pragma once
// The numbers of two outcomes of one combination side by side, and the message where they do not fit.

#include "testutils/finding.hpp"

#include <algorithm>

namespace assay::testutils {

/// Calls `visit(place, left, right)` for every number of the derivative in two outcomes of the same combination.
template <class Visit>
void for_each_pair(const DerivativeOutcome &left, const DerivativeOutcome &right, Visit visit) {
  const auto walk = [&](std::optional<std::size_t> parameter, unsigned lane, const Values &a, const Values &b) {
    for (std::size_t element = 0; element < std::min(a.size(), b.size()); ++element)
      visit(Place{parameter, element, lane}, a[element], b[element]);
  };
  for (unsigned lane = 0; lane < std::min(left.result_tangents.size(), right.result_tangents.size()); ++lane)
    walk(std::nullopt, lane, left.result_tangents[lane], right.result_tangents[lane]);
  for (unsigned lane = 0; lane < std::min(left.shadows.size(), right.shadows.size()); ++lane)
    for (std::size_t index = 0; index < left.shadows[lane].size(); ++index)
      walk(index, lane, left.shadows[lane][index], right.shadows[lane][index]);
}

Comparison row_of(const Signature &signature, const Place &place, double seen, double expected, double tolerance);

/// The first failure gives the detail, all of them give rows. `by_scale`: the number differs for the scaled tolerance
/// alone.
void fail(Finding &finding, Verdict verdict, std::string detail, Comparison row, bool by_scale = false);

/// A scalar's tangent is the caller's own number: the derivative does not write it.
bool is_written_by_derivative(const Signature &signature, const Combination &combination, const Place &place);

/// Of the derivative's finite numbers, the largest absolute value.
double largest_of(const DerivativeOutcome &outcome);

} // namespace assay::testutils
