#pragma once
// Shadows of global variables and of the constants that point to them. The shadow of global `g` is the global
// `g.assay_shadow` (lane k > 0 of a wider request: `g.assay_shadow.k`): same type, floats zero, integers as in `g`,
// pointers to the shadows of what `g` points to. Both modes share it, so that a tangent or adjoint set in one call is
// seen by the next. A global with metadata `enzyme_shadow` names its own.

#include "core/engine/request/knowledge.hpp"
#include "llvm/IR/GlobalVariable.h"

namespace assay::engine {

/// Virtual tables and run-time type information of C++, some of which are declared as if they were mutable.
bool is_type_description(const llvm::GlobalVariable &global);

/// True when memory behind `global` may hold something with a derivative: it is mutable, or points to what is.
bool may_have_shadow(const llvm::GlobalVariable &global, const Knowledge &knowledge);

/// The shadow of `global`, made at first use.
llvm::GlobalVariable &shadow_global(llvm::GlobalVariable &global, unsigned lane, const Knowledge &knowledge);

/// What stands for `constant` in shadow memory: zero for floats, shadows for pointers to globals that may have one, and
/// the constant itself for all else (integers, null, functions).
llvm::Constant *shadow_of_constant(llvm::Constant &constant, unsigned lane, const Knowledge &knowledge);

/// The same, but fit to be added to. Read-only tables are their own shadow until an adjoint is added to them: such an
/// add goes to a scratch copy.
llvm::Constant *writable_shadow(llvm::Constant &constant, unsigned lane, const Knowledge &knowledge);

} // namespace assay::engine
