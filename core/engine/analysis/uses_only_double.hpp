#pragma once
// Whether a program computes with doubles and no other floating type: then what is known of nothing can be told by its
// size and its bits. Other floats may be there as numbers that only lead to integers, such as the load factor of a hash
// table: they carry no derivative.

#include "core/engine/analysis/call_tree.hpp"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Notes the answer for the program as it is now; it holds until it is forgotten, whatever is written into the module.
void note_uses_only_double(llvm::Module &module);
void forget_uses_only_double(llvm::Module &module);

bool uses_only_double(const llvm::Module &module);
bool uses_only_double(const CallTree &calls);

} // namespace assay::engine
