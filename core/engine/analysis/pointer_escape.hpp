#pragma once
// Which uses let a pointer out of the function's sight.

#include "core/engine/support/function_info.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// True when an address is only compared, or its distance from another one is taken.
bool is_only_measured(const llvm::PtrToIntInst &address);

/// True when a call may release memory: a release itself, or a function of this module that contains one at any depth.
bool may_release(const llvm::CallBase &call, const FunctionInfo &function_info);
/// True for a release itself.
bool is_release(const llvm::CallBase &call, const FunctionInfo &function_info);

/// True when the user computes an address from the pointer, or hands it on.
bool is_passed_on(const llvm::User &user);
/// True when `use` lets the pointer out of sight: stored, returned, passed to a call that may keep it. Uses that
/// pass it on are not asked about.
bool escapes(const llvm::Use &use, const FunctionInfo &function_info);

} // namespace assay::engine
