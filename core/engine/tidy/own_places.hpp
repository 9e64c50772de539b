#pragma once
// Plain in place of atomic sums in shadow memory of a kernel, where addresses are an injective function of the thread.
//
// A derivative in device code adds by atomic operations, because the code of one thread does not say that no other
// means the place. The whole kernel says more: where all sums behind an argument are at
//
//   size * (m * (tid + ntid * ctaid) + c)   0 <= c < m     (one segment of memory for each thread), or
//   S * ctaid + m * tid + u + c                            (S for each block, in it some for each thread)
//
// no two threads add to the same, if the launch has one dimension, blocks keep within S, and the memory of other sums
// lies elsewhere. No other launch adds there at the same time: launches that run together need shadows of their own.
// The kernel asks for that once, when it begins, and adds atomically where it is not so.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

class OwnPlacesPass : public llvm::PassInfoMixin<OwnPlacesPass> {
public:
  static llvm::StringRef name() { return "assay-tidy<own-places>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
