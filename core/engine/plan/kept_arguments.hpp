#pragma once
// Memory that nobody changes between the two halves of a split derivative, because the program says so of the arguments
// that it is reached from (enzyme_not_overwritten).

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Argument.h"

namespace assay::engine {

/// Whether all objects that the pointer may mean are reached from arguments for which `stays` is true: directly, or by
/// addresses that were loaded from such memory.
bool is_reached_from(const llvm::Value &pointer, llvm::function_ref<bool(const llvm::Argument &)> stays);

} // namespace assay::engine
