#pragma once
// Functions of the run-time in a traced program: their declarations, and the effects of calls on the code around them.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DerivedTypes.h"

namespace llvm {
class CallBase;
class Constant;
class Function;
class Module;
} // namespace llvm

namespace assay::trace {

/// A function that returns, throws nothing, releases nothing, and uses no memory that the program sees.
void make_harmless(llvm::Function &function);

/// Declares `assay_trace_NAME`.
llvm::FunctionCallee runtime_function(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                                      llvm::ArrayRef<llvm::Type *> parameters);

/// The same without a result; a call of it carries no derivative.
llvm::FunctionCallee inactive_runtime_function(llvm::Module &module, llvm::StringRef name,
                                               llvm::ArrayRef<llvm::Type *> parameters);

/// A table of the convention: a registration.
void write_table(llvm::Module &module, const llvm::Twine &name, llvm::ArrayRef<llvm::Constant *> entries);

/// Adds the effects of the run-time to a function that calls it.
void add_runtime_effects(llvm::Function &caller);
/// The same for a call of such a function.
void add_runtime_effects(llvm::CallBase &call);

} // namespace assay::trace
