#pragma once
// The functions that take and release the memory of a tape, by where it comes from.

#include "core/engine/plan/tape_home.hpp"
#include "llvm/IR/Module.h"

namespace assay::engine {

llvm::FunctionCallee take_function(llvm::Module &module, TapeHome home);
llvm::FunctionCallee leave_function(llvm::Module &module, TapeHome home);

} // namespace assay::engine
