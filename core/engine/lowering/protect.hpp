#pragma once
// The second half of `protect_convention`: its changes are undone.

#include "llvm/IR/Module.h"

namespace assay::engine {

/// Undoes `protect_convention` and erases globals that only the convention used: markers, registration tables,
/// declarations of its calls.
void unprotect_convention(llvm::Module &module);

/// The linkage that a function has in the program, which `protect_convention` may have changed.
llvm::GlobalValue::LinkageTypes linkage_in_program(const llvm::Function &function);

} // namespace assay::engine
