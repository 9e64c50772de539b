#pragma once
// The order in which calls of the convention are lowered.

#include "core/engine/lowering/resolve_function.hpp"

namespace assay::engine {

/// A call inside of a function that another call differentiates (directly or through further calls) stands before that
/// other call. Calls that ask for each other in a circle stand in the order given.
llvm::SmallVector<ConventionSite, 8> lowering_order(llvm::ArrayRef<ConventionSite> sites,
                                                    const FunctionInfo &function_info);

} // namespace assay::engine
