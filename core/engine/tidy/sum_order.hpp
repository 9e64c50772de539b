#pragma once
// Whether a sum in shadow memory of a device may take place later.

#include "llvm/Analysis/AliasAnalysis.h"

namespace assay::engine {

/// Whether a sum at `place` may as well follow `instruction`.
bool commutes_with_sum(const llvm::Instruction &instruction, const llvm::MemoryLocation &place,
                       llvm::AAResults &aliases);

} // namespace assay::engine
