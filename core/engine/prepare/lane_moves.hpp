#pragma once
// Shuffles of bytes that move whole floats become moves of floats: the optimiser writes blends and masked lanes so.

#include "llvm/IR/Function.h"

namespace assay::engine {

void rewrite_lane_moves(llvm::Function &function);

} // namespace assay::engine
