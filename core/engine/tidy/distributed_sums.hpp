#pragma once
// Loops that add to neighbouring places of shadow memory, as the adjoint of a stencil does:
//
//   for k:  t = f(k)      x'[k - 1] += t      x'[k] -= 2 * t      x'[k + 1] += t
//
// Each iteration waits for the one before, which has just written where it adds, and no vectors can be made of them.
// The order of the sums is free, so that the loop runs in blocks of a few dozen iterations: first the addends, which
// go to buffers, then a loop for each group of places that adds them. All of these take vectors. (Loop distribution
// with scalar expansion: Allen and Kennedy, "Optimizing Compilers for Modern Architectures", Morgan Kaufmann 2002,
// ch. 5.)
//
// The places may mean the same memory; what else the loop reads and writes may not. Where that is not known it is asked
// before the loop, which has a copy for the other case, and for few iterations.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// To be run before the vectoriser of loops.
struct DistributedSumsPass : llvm::PassInfoMixin<DistributedSumsPass> {
  static llvm::StringRef name() { return "assay-tidy<distributed-sums>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
