#pragma once
// Calls of functions that are not inlined, as those of recursion, whose exceptions the caller catches. What such a
// function did before it threw has a reverse sweep only where it returns. So it gets a copy that returns where an
// exception would leave it, with the exception behind its first parameter, or null, and the caller throws it again: the
// way to the handler is control flow on both sides.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

void return_caught_exceptions(llvm::Function &function, const FunctionInfo &function_info);

} // namespace assay::engine
