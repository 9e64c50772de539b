#pragma once
// An allocation that fails throws past the derivative: it needs no landing pad of its own. Invokes that stay get a
// normal destination of their own, where their results can be stored.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

void simplify_invokes(llvm::Function &clone, const FunctionInfo &function_info);

} // namespace assay::engine
