#pragma once
// Sums in shadow memory of device code that meet at one place: two that follow one another become one, and a sum behind
// the store that clears the place becomes a store. A device takes several times as long for a write to a place that it
// wrote to just before.
//
// A thread clears the shadow of what it stored. Where it also reads that place without a barrier in between, no other
// thread may access it, or the function itself has a race.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class JoinedSumsPass : public llvm::PassInfoMixin<JoinedSumsPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<joined-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
