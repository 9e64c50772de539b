#pragma once
// On a device, a store to a place whose load has not come back yet waits in the memory system several times as long as
// a store that was issued behind it. The adjoint of a store is such a pair: it reads a shadow and clears it. What it
// read is compared with zero, and cleared where it is not: so the store comes behind the load.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class ConditionalClearsPass : public llvm::PassInfoMixin<ConditionalClearsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<conditional-clears>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
