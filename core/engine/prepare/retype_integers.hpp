#pragma once
// Integers that carry floats become floats.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

/// Rewrites integer loads, phis, selects and freezes whose values are the bits of floats, and the stores of such
/// values, to work on floats (or vectors of them); bitcasts remain only where real integer operations meet them. Copies
/// through an integer of several different fields become one typed load and store for each field.
void retype_integers(llvm::Function &function, const TypeAnalysis &types, bool loose_types);

} // namespace assay::engine
