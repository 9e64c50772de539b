#pragma once
// Memory of the toolkit's numbers of 16 bits. The classes of its headers hold integers, and functions of these headers
// work on them as integers, so that nothing but the names of the classes may tell the types of memory. What is moved
// from and to there is moved as numbers.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// The floating type of the numbers behind an address that is made as that of such a class; null for others.
llvm::Type *half_behind(const llvm::Value &address);

void type_half_memory(llvm::Function &function);

} // namespace assay::engine
