#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Function.h"
#include <string>

// A flat function: one that a check calls in place of another, whose parameters a request can give as numbers, rows of
// numbers and integers. It is described in debug information, by which the types of its parameters are known.
namespace assay::jit {

/// A declaration beside `function`, with its calling convention and the attributes of the function, not of parameters.
llvm::Function &declare_flat(llvm::Function &function, const std::string &name, llvm::ArrayRef<llvm::Type *> parameters,
                             llvm::Type &result);

/// Gives `flat` the place of `function` in the source, and the types: of the result, null for none, and of each
/// parameter.
void describe_flat(llvm::Function &flat, const llvm::Function &function, llvm::DIBuilder &debug,
                   llvm::ArrayRef<llvm::Metadata *> types);

llvm::DIType *pointer_to(llvm::DIBuilder &debug, const llvm::DIType &type);
llvm::DIType *array_of(llvm::DIBuilder &debug, const llvm::DIType &element, std::uint64_t bits, std::uint64_t count);

} // namespace assay::jit
