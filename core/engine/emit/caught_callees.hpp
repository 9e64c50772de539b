#pragma once
// Calls whose exceptions the differentiated function catches. What such a callee wrote before it threw is
// differentiated only where the callee became a part of the function (inline_calls.cpp). A callee that stayed a call,
// as recursion does, hands over no tape when it throws: the program stops then, before the derivative would be wrong.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

/// Before the augmented call of a callee whose plan says that it loses writes.
void stop_where_caught(ForwardSweep &sweep, const llvm::InvokeInst &invoke);

} // namespace assay::engine
