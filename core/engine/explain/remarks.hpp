#pragma once
// Remarks of a compilation (`-Rpass=assay`, `-Rpass-analysis=assay`, `-Rpass-missed=assay`,
// `-fsave-optimization-record`): each derivative that was made with its tape, each value on the tape with the reason,
// each derivative that there is not.

#include "core/engine/explain/explanation.hpp"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// AssayPass, with remarks where somebody asks for them.
struct AssayWithRemarksPass : llvm::PassInfoMixin<AssayWithRemarksPass> {
  static llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

/// Emits all remarks of one derivative of `function`.
void emit_remarks(llvm::Function &function, const Explanation &explanation);

} // namespace assay::engine
