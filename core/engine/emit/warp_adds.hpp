#pragma once
// Sums in memory of a device to which lanes of a warp add at one place: the lanes' numbers are added up by shuffles,
// and one of them adds the sum to memory. Atomic sums of one place are done one by one.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// `void(place, number)` for numbers of type `type`, a float or a double, which lanes may call alone or together.
llvm::Function *warp_add_function(llvm::Module &module, llvm::Type *type, llvm::PointerType *place);
bool has_warp_add(const llvm::Type &type);

/// An atomic sum for the whole device, of any type of numbers.
llvm::AtomicRMWInst *add_for_device(llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *value);

} // namespace assay::engine
