#pragma once
// Functions that the engine writes into a module for its own use: internal, never throwing, each written once.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// Of functions that keep lists of deferred releases: derivatives of derivatives know their calls by name.
inline constexpr llvm::StringLiteral list_prefix = "assay.primal.list.";

/// Of functions that exceptions of copied callees come back by (prepare/caught_calls.hpp): their calls stay.
inline constexpr llvm::StringLiteral exception_prefix = "assay.primal.exception.";

/// The function of that name; `write` gives it its body when it is first asked for.
llvm::Function *own_function(llvm::Module &module, llvm::StringRef name, llvm::FunctionType *type,
                             llvm::function_ref<void(llvm::Function &)> write);

/// The body of a function without result that does nothing where its first argument is null.
void write_unless_null(llvm::Function &function, llvm::function_ref<void(llvm::IRBuilder<> &)> write);

/// True for those whose calls have derivatives of their own, which are not those of the body.
bool is_named_for_its_derivative(const llvm::Function &function);

} // namespace assay::engine
