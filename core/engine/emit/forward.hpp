#pragma once
// Forward mode: beside every active value its tangent, beside every pointer to active memory its shadow; one pass over
// the prepared function in execution order. Width W carries W lanes side by side.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/plan/derivative_source.hpp"

namespace assay::engine {

/// Fills `derivative`, an empty function of type DerivativeAbi(request).type(), from `prepared`, and sets its
/// attributes. `request.function` is the user's function; `prepared` is its canonical clone with the same parameters;
/// `types` and `activity` are those of `prepared`.
llvm::Error emit_forward(DerivativeSource &engine, const Request &request, llvm::Function &prepared,
                         const TypeAnalysis &types, const ActivityAnalysis &activity, llvm::Function &derivative);

} // namespace assay::engine
