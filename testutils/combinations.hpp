#pragma once
// The activity combinations of a signature; see combinations.cpp for which.

#include "testutils/point.hpp"

namespace assay::testutils {

/// Without the budget. Of functions with many arguments: those around the ends of the product, in every form, and
/// patterns of the rest, those first that cover most.
struct OfferedCombinations {
  std::vector<Combination> usual, patterns;
};
OfferedCombinations offered_combinations(const std::vector<std::pair<Subject *, Arguments>> &shapes,
                                         const CheckOptions &options);
std::vector<Combination> all_of(OfferedCombinations offered);

/// Both, without the budget.
std::vector<Combination> all_combinations_at(const Signature &signature, const Point &point,
                                             const CheckOptions &options);
std::vector<Combination> combinations_at(const Signature &signature, const Point &point, const CheckOptions &options);

/// The valid combinations of the same mode and width that differ in exactly one activity.
std::vector<Combination> neighbours_of(const Signature &signature, const Point &point, const Combination &combination);

} // namespace assay::testutils
