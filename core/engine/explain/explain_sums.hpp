#pragma once
// The part of an explanation that is about memory which threads share: how adjoints are added to it, and how atomic
// updates are undone.

#include "core/engine/explain/explanation.hpp"
#include "core/engine/support/observer.hpp"

namespace assay::engine {

ExplainedSums explain_sums(const PlannedDerivative &derivative, const SourceNames &names);

} // namespace assay::engine
