#pragma once
// The caller's types of the memory that it passes to the function that is differentiated: the type of the variable that
// a pointer argument points to. It is kept on the function, in metadata that clones take over, since nothing in a
// function need tell the type of bytes that it copies.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace assay::engine {

struct CallerArgumentType {
  unsigned parameter;
  llvm::Type *type;
};

/// Notes the type of the variable that `pointer`, which is passed for `parameter`, points to, where it has floats.
void note_caller_argument_types(llvm::Function &function, unsigned parameter, const llvm::Value &pointer);

llvm::SmallVector<CallerArgumentType, 4> caller_argument_types(const llvm::Function &function);

} // namespace assay::engine
