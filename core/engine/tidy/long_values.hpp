#pragma once
// Values of long blocks, kept in memory between uses that are far apart.
//
// The gradient of straight-line code is one block: all values that the reverse sweep reads are computed in its first
// half and read in its second half, in the opposite order. There are not nearly enough registers for them, and LLVM's
// register allocator, which looks for a place for each by splitting its live range, needs time that grows with the
// square of the block's length. What it finds in the end is what is written here: a store after the value is computed,
// and a load before it is read again.
//
// The order of sums is fixed as well: to find a better one, the code generator would take as long.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// To be run after all passes that turn memory into values.
struct LongValuesPass : llvm::PassInfoMixin<LongValuesPass> {
  static llvm::StringRef name() { return "assay-tidy<long-values>"; }
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace assay::engine
