#pragma once
// Functions that return addresses and floats in one struct. The shadow of such a result comes back from the forward
// sweep, but the adjoints of its floats have to go into the reverse sweep: memory has both. So calls of such functions
// that are not inlined get the result in memory of the caller's. So do those of functions that return a union as an
// integer beside others: what it is, its memory tells.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

void return_mixed_through_memory(llvm::Function &function, const FunctionInfo &function_info);

} // namespace assay::engine
