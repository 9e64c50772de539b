#pragma once
// The object of a by-value parameter is read by its copy alone (by_value_parameters.hpp). LLVM drops the copy and joins
// its address with those of other memory, where the program joined numbers; then constant and active memory are read
// by one load. Such a load becomes one for each address, in the blocks where they come from.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool separate_copied_objects(llvm::Function &function);

} // namespace assay::engine
