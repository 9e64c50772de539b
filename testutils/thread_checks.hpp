#pragma once
// Kernels: their threads may run in any order, and no two of them may meet at a number without one.

#include "testutils/finding.hpp"

namespace assay::testutils {

/// Why the function's own threads make its numbers depend on their order; empty: they do not, or there are none.
/// `usual` is the function at `inputs`. Other orders of the threads are only tried for every check.
std::string trouble_of_threads(Subject &subject, const Arguments &inputs, const PrimalOutcome &usual, Depth depth);

/// The derivative's threads under a watch: nothing that the watch of the function does not find.
Finding check_thread_accesses(Subject &subject, const DerivativeRequest &request);

/// In other orders of the threads the derivative is the same: to the bit where nothing is atomic, else to the
/// rounding of sums in another order.
Finding check_thread_orders(Subject &subject, const DerivativeRequest &request, const DerivativeOutcome &outcome);

} // namespace assay::testutils
