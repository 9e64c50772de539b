#pragma once
// A forward rule in two halves, `augmented(x, [dx], ...)` that returns a tape and `forward(x, dx, ..., tape)`, is
// joined to one that forward mode can use like any other.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

/// The joined rule for `rule`'s two halves: forward(x, dx, ...) -> tangent or {primal, tangent}. An error when they do
/// not fit each other.
llvm::Expected<llvm::Function *> joined_forward(const UserRule &rule);

} // namespace assay::engine
