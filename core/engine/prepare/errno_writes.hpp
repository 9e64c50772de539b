#pragma once
// Functions of the mathematical library may write errno, which LLVM cannot tell from other integers that a loop reads,
// such as sizes in a struct. In code that does not ask for errno, these calls are functions of their arguments alone.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True where a call was told to write nothing.
bool drop_errno_writes(llvm::Function &function);

} // namespace assay::engine
