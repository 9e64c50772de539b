#pragma once
// Shuffles of bytes that move whole floats become moves of floats: the optimiser writes blends and masked lanes so.
// Integers that are put into a vector of floats, or taken out of one, are moved there as floats; so are wide ones that
// hold several. A byte that is put there changes one float alone.

#include "llvm/IR/Function.h"

namespace assay::engine {

void rewrite_vector_element_moves(llvm::Function &function);
void rewrite_single_lanes(llvm::Function &function);

} // namespace assay::engine
