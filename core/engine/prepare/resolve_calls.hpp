#pragma once
// Indirect calls become direct ones. A call through a pointer is turned into a chain of comparisons with the functions
// of this module that it may reach, each with a direct call; a function that is none of them stops the program with a
// message. So every later stage sees direct calls only, a shadow object needs no functions of its own, and both modes
// follow virtual functions, tables of functions and std::function.
//
// The candidates: for a call through slot k of a virtual table, the functions at slot k of the module's virtual tables;
// for any other, the functions of its type whose address is taken, and those whose result is another integer. A call
// without candidates is left as it is; a virtual one stops the program if it is reached in active code.

#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/function_info.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// The functions of the module that an indirect call may reach, of the call's own type.
llvm::SetVector<llvm::Function *> candidates(llvm::CallBase &call);

/// These, and those that differ in the width of an integer result.
llvm::SmallVector<llvm::Function *, 4> possible_callees(llvm::CallBase &call);

/// True when an indirect call may reach functions of the module.
bool has_candidates(llvm::CallBase &call);

/// The byte offset in the virtual table that `callee` was loaded from, if it was.
std::optional<std::int64_t> virtual_slot(llvm::Value *callee, const llvm::DataLayout &layout);

/// Writes a call that says that a differentiated call reached an unknown function, and stops the program.
void emit_stop(llvm::IRBuilderBase &builder);

/// True when something was resolved. Among several candidates, those that reach a function that nothing is known of, or
/// a handler of exceptions, are marked (`is_unlikely_candidate`).
bool resolve_indirect_calls(llvm::Function &function, const FunctionInfo &function_info);

/// The mark of a call that was resolved: how many functions may be called at its place.
inline constexpr llvm::StringLiteral candidates_attribute = "assay_candidates";
/// One for calls that always were direct.
unsigned number_of_candidates(const llvm::CallBase &call);

} // namespace assay::engine
