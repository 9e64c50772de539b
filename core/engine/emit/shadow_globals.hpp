#pragma once
// Shadows of global variables and of the constants that point to them. The shadow of global `g` is another global
// (named in `shadow_name.hpp`): same type, floats zero, integers as in `g`, pointers to the shadows of what `g` points
// to. A global with metadata `enzyme_shadow`, or in a table `__enzyme_shadow_global`, has the program's.

#include "core/engine/support/function_info.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/IR/GlobalVariable.h"

namespace assay::engine {

/// True when memory behind `global` may hold something with a derivative: it is mutable, or points to what is.
bool may_have_shadow(const llvm::GlobalVariable &global, const FunctionInfo &function_info);

/// The shadow of `global`, made at first use.
llvm::GlobalVariable &shadow_global(llvm::GlobalVariable &global, const ShadowSet &set,
                                    const FunctionInfo &function_info);

/// The counterpart of `constant` in shadow memory: zero for floats, shadows for pointers to globals that may have one,
/// and the constant itself for all else (integers, null, functions).
llvm::Constant *shadow_of_constant(llvm::Constant &constant, const ShadowSet &set, const FunctionInfo &function_info);

} // namespace assay::engine
