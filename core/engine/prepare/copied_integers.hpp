#pragma once
// Integers that a function only copies in memory of its callers. That they are declared as integers says little: a
// caller may keep the bits of floats in them, and is asked before the copies are taken for moves of integers.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

bool copies_declared_integers(const llvm::Function &function, const TypeAnalysis &types);
/// False where the types of the function need not be asked.
bool may_copy_integers(const llvm::Function &function);

} // namespace assay::engine
