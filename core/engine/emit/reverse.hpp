#pragma once
// Reverse mode. The forward sweep is the primal with shadow pointers beside the pointers; the reverse sweep runs
// through its control flow backwards and propagates adjoints. What the reverse sweep reads of the forward sweep is
// decided by the plan.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

/// The functions to fill: the same one twice for Mode::reverse, two for the split modes.
struct ReverseFunctions {
  llvm::Function *forward_sweep = nullptr;
  llvm::Function *reverse_sweep = nullptr;
};

/// `request` asks for Mode::reverse, or for either split mode (both halves are written then). `prepared` is the
/// canonical clone of `request.function`, `types` and `activity` speak of it.
llvm::Error emit_reverse(DerivativeSource &engine, const Request &request, llvm::Function &prepared,
                         const TypeAnalysis &types, const ActivityAnalysis &activity,
                         const ReverseFunctions &functions);

} // namespace assay::engine
