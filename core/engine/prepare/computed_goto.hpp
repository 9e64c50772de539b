#pragma once
// Computed gotos: the addresses of labels that a program keeps in tables belong to its own function, not to a clone of
// it. In the clone a jump through such an address becomes a choice among the labels by address.

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace assay::engine {

/// The addresses that are compared with are those of `source`, whose clone `function` is by `map`; without a map both
/// are the same.
void expand_computed_gotos(llvm::Function &function, llvm::Function &source, const llvm::ValueToValueMapTy *map);

} // namespace assay::engine
