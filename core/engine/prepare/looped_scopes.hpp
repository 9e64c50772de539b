#pragma once
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// A scope of `restrict` that is declared within a loop says nothing of other iterations: what a callee may not touch
/// in one iteration it writes in the next. What the plan asks of two accesses is about all of them, so such scopes are
/// dropped. True when something changed.
bool drop_looped_scopes(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
