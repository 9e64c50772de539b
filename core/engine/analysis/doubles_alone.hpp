#pragma once
// Whether a program computes with doubles and no other floating type: then what is known of nothing can be told by its
// size and its bits.

#include "llvm/IR/Module.h"

namespace assay::engine {

bool computes_with_doubles_alone(const llvm::Module &module);

} // namespace assay::engine
