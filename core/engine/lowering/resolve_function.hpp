#pragma once
// Which function a call of the convention differentiates.

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace assay::engine {

struct ConventionSite {
  llvm::CallBase *call;
  ConventionCall kind;
};

/// Every call in `module` that asks for a derivative (no hints and the like), in module order.
llvm::SmallVector<ConventionSite, 8> convention_sites(llvm::Module &module);

/// The function that is the first argument, when that is one known function; else null.
llvm::Function *resolve_function(llvm::CallBase &call);

/// The first argument as a pointer value, for a choice at run time; emitted before the call where it has to be loaded.
llvm::Value *function_pointer(llvm::CallBase &call);

/// Functions that pass a function pointer or a marker of theirs on to the convention (templates, C++ wrappers, at -O0)
/// are inlined into their callers, so that the pointer becomes known. Only functions that other files cannot call
/// otherwise.
void inline_wrappers(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

/// Operands by reference are behind stack slots that hold addresses of stack slots; this makes values of them.
void promote_stack_slots(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// A function with a body for the engine: `function` itself, or a new function that just calls it when it has no body
/// or when it must stay a call (a rule, a library function).
llvm::Function &differentiable_function(llvm::Function &function, const FunctionInfo &function_info);

/// The suffix of the functions that `differentiable_function` makes.
inline constexpr llvm::StringLiteral caller_suffix = ".assay.caller";

} // namespace assay::engine
