#pragma once
// Globals that the program declares inactive end derivatives at every optimisation level: what is stored there may be
// forwarded to a load by the optimiser, so the numbers that pass such a global go through the identity without a
// derivative (`__enzyme_ignore_derivatives`) before anything is simplified. It is no code in the end.

#include "core/engine/support/function_info.hpp"

namespace assay::engine {

/// True when anything was changed.
bool protect_inactive_globals(llvm::Module &module, const FunctionInfo &function_info);

} // namespace assay::engine
