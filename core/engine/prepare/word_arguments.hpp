#pragma once
// Functions that are given a union, or the bits of a number, as an integer: what it is, a number, an address or a
// count, the callee finds out when it runs, so no derivative could say what to pass with it. Calls of such functions
// that are not inlined pass these words in memory of the caller's, whose shadow has the derivative of any of them.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

void pass_words_through_memory(llvm::Function &function, const FunctionInfo &function_info);

} // namespace assay::engine
