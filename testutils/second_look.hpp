#pragma once
// Numbers that differ from the oracle's, or agree by chance, looked at again: whether the function is smooth there, and
// whether differences closer to the point or to one side of it say otherwise.

#include "testutils/oracle_comparison.hpp"

namespace assay::testutils {

/// Numbers hidden by the rounding of the function cannot be told from zero: they agree.
void accept_hidden(OracleComparisons &comparisons);

/// Whether a number differs where the function is smooth; the first one decides. Other differences become undecided,
/// and so do agreements by chance where the function is not smooth.
bool differs_where_smooth(const Oracle &oracle, OracleComparisons &comparisons, Finding &finding);

/// Numbers undecided because of a kink, beside the derivatives to both sides. The program's may be that of no side
/// where several branches change at once, so a number that is neither is a failure at a single edge only.
void compare_one_sided(OracleComparisons &comparisons, Finding &finding, std::size_t edges);

} // namespace assay::testutils
