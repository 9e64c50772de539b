#pragma once
// Loops that exchange two pieces of memory byte by byte, as generic sorts do. The bytes of a float have no derivative;
// copies of the whole pieces by way of a third have one:
//
//   for (i = 0; i < n; ++i) { t = p[i]; p[i] = q[i]; q[i] = t; }   ->   copy(t, p, n); copy(p, q, n); copy(q, t, n)
//
// Pieces that overlap in part would not be exchanged by either form; the program stops there.

#include "llvm/IR/PassManager.h"

namespace assay::engine {

/// True when a loop was rewritten.
bool rewrite_byte_swaps(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// Writes the three copies in front of `before`.
void exchange_pieces(llvm::Instruction &before, llvm::Value *first, llvm::Value *second, llvm::Value *bytes);

} // namespace assay::engine
