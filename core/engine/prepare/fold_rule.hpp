#pragma once
// Folds an instance of a rule: the functions that the rule is spread over are inlined, the constant configuration is
// propagated, and loops over lanes are unrolled, until only the code of this use is left.

#include "core/engine/support/function_info.hpp"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

void fold_rule(llvm::Function &function, unsigned width, const FunctionInfo &function_info,
               llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
