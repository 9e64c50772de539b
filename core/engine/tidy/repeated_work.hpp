#pragma once

#include "llvm/IR/Instruction.h"

namespace assay::engine {

/// Whether it is not worth a thought to compute it once more, where one loop becomes two that both need it.
bool is_cheap(const llvm::Instruction &instruction);

} // namespace assay::engine
