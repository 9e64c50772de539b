#pragma once
// Warp-aggregated atomic sums: where lanes of a warp add to one address, shuffles reduce their numbers, and one lane
// adds the sum to memory. A device does atomics on one address one by one.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// `void(place, number)` for numbers of type `type`, a float or a double, which lanes may call alone or together.
llvm::Function *warp_add_function(llvm::Module &module, llvm::Type *type, llvm::PointerType *place);
bool has_warp_add(const llvm::Type &type);

/// An atomic sum for the whole device, of any type of numbers.
llvm::AtomicRMWInst *add_for_device(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *value);

} // namespace assay::engine
