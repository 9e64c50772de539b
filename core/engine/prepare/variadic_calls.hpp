#pragma once
// A call of a variadic function of the program's own becomes a call of a copy with a fixed parameter list: the copy
// lays the further arguments out in memory and hands that to the function's va_list. Every read with va_arg is then an
// ordinary load, and a va_list that goes on to vprintf is still one.

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// Fails where the layout of the target's va_list is not known.
llvm::Error fix_variadic_calls(llvm::Function &function);

} // namespace assay::engine
