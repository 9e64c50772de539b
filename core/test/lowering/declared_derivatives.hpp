#pragma once
// Derivatives that are declared and not written: the lowering of calls is tested alone.

#include "core/engine/plan/derivative_source.hpp"
#include <memory>

namespace assay::engine {

/// A function whose name begins with "unsupported" cannot be differentiated.
std::unique_ptr<DerivativeSource> declare_derivatives(llvm::Module &module, FunctionInfo function_info,
                                                      llvm::ModuleAnalysisManager &analyses);

} // namespace assay::engine
