#pragma once
// What a kernel does with the memory that its launch gives it: behind arguments, and behind pointers in structs that
// are arguments by value.

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace assay::engine {

/// An argument, or a load of a pointer from one by value.
bool is_given_pointer(const llvm::Value &value);
llvm::SmallVector<llvm::Value *, 8> given_pointers(llvm::Function &kernel);
/// The pointer where the kernel begins.
llvm::Value *at_begin(llvm::Value &given, llvm::IRBuilderBase &builder);

/// The marked adjoint sums at places behind a given pointer, and the calls of functions that make them; nothing where
/// the kernel does anything else there.
std::optional<llvm::SmallVector<llvm::Instruction *, 8>> sums_behind(llvm::Value &given);

/// Whether the instruction writes, other than by an adjoint sum, to memory that is not the kernel's own.
bool writes_to_given_memory(const llvm::Instruction &instruction);

/// Given pointers that the kernel writes behind, other than by adjoint sums; nothing where it writes to memory that it
/// was not given and that is not its own.
std::optional<llvm::SmallSetVector<llvm::Value *, 4>> written_pointers(llvm::Function &kernel);

} // namespace assay::engine
