#pragma once
// The part of an explanation that the plan of a reverse sweep adds: how each value gets there and why, and the bytes of
// tape of each loop.

#include "core/engine/explain/explain_analysis.hpp"
#include "core/engine/support/observer.hpp"

namespace assay::engine {

/// `index` finds the values of the prepared function in `explanation`.
void explain_plan(const PlannedDerivative &derivative, const SourceNames &names, const ValueIndex &index,
                  Explanation &explanation);

} // namespace assay::engine
