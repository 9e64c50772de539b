#pragma once
// Differences between a surviving mutant and the right derivative: those that are rounding, so that the mutant is
// equivalent, and those that only calls in a row show.

#include <assay/testing/check.hpp>

#include <string>
#include <vector>

namespace assay::cli {

/// Calls of a mutant, and of the right derivative, for one combination.
struct MutantPair {
  testutils::Subject &mutant, &right;
  const testutils::CheckOptions &options;
};

/// Whether both outcomes for `request` are the same derivative: numbers that are apart by less than the tolerance and
/// than their spread by rounding, of which the mutant's are as close to the oracle's as the right derivative's, or
/// which are those of the two sides of a kink.
bool is_same_derivative(const MutantPair &pair, const testutils::DerivativeRequest &request,
                        const testutils::DerivativeOutcome &seen, const testutils::DerivativeOutcome &right);

/// The first of `requests`, all of one combination, for which the mutant gives otherwise than alone after a call with
/// the one before; by its number. Nothing: there is none.
std::optional<std::size_t> first_that_depends_on_calls(const MutantPair &pair,
                                                       const std::vector<testutils::DerivativeRequest> &requests);

} // namespace assay::cli
