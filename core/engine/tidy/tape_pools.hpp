#pragma once
// Once all derivatives are written and inlined, the stand-ins for memory of the thread's pool of tapes
// (emit/tape_pool.hpp) become calls of library/tape_pool.c.
//
//   1. A derivative that reaches no such tape does not enter the pool.
//   2. The stand-ins are replaced, all at once: blocks tell which of the library's functions made them.
//
// Under a sanitizer tapes stay blocks of malloc, each of which it knows.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// To be run after InlineDerivativesPass in a pipeline that optimises.
struct TapePoolsPass : llvm::PassInfoMixin<TapePoolsPass> {
  static llvm::StringRef name() { return "assay-tidy<tape-pools>"; }
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace assay::engine
