#pragma once
// Nests of two loops of which the inner one walks down columns, as in a product of matrices:
//
//   for j:  for k:  s += a[k] * b[k * n + j]         c[j] = s
//
// No vector can be read that way. Several iterations of the outer loop are run side by side, in one inner loop, where
// what they read and write is next to each other: as vectors (widen_nest.hpp), or else one after the other, and the
// vectoriser for straight-line code does the rest. Each sum keeps its order. (Callahan, Carr and Kennedy, "Improving
// register allocation for subscripted variables", PLDI 1990.)
//
// This may be done where the nest writes no memory that it also reads or writes elsewhere. A nest with several tangents
// becomes one for each few of them before. Places that differ are asked for their bounds before the nest; where they
// overlap, a copy of it runs as it was.

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// Whether iterations of the nest may run side by side, at least where its memory is as hoped for.
bool walks_down_columns(const llvm::Loop &nest, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases);

/// To be run before the vectorisers.
struct JamLoopsPass : llvm::PassInfoMixin<JamLoopsPass> {
  static llvm::StringRef name() { return "assay-tidy<jam-loops>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
