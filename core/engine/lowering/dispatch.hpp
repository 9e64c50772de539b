#pragma once
// A choice among functions at run time: the pointer is compared with each candidate in turn. A pointer that is none of
// them ends the program with a message.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Functions of `module` that a pointer may point to.
llvm::SmallVector<llvm::Function *, 8> address_taken_functions(llvm::Module &module);

/// Emits a choice among `count` cases before `call`: the first of which `emit_condition(builder, index)` is true.
/// `emit_arm(builder, index)` emits that arm and returns its result (null when there is none). Returns the
/// result of the arm that was taken.
llvm::Value *emit_choice(llvm::CallBase &call, unsigned count,
                         llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned)> emit_condition,
                         llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned)> emit_arm);

/// The choice of the candidate that `pointer` points to.
llvm::Value *emit_dispatch(llvm::CallBase &call, llvm::Value *pointer, llvm::ArrayRef<llvm::Function *> candidates,
                           llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, unsigned)> emit_arm);

} // namespace assay::engine
