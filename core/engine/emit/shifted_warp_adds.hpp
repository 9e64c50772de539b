#pragma once
// Sums of several numbers of each lane at a constant distance from the lane's address, where the address of each lane
// lies one number behind that of the lane before, as in stencils: what several lanes add to one place, shuffles move
// to the lane whose address it is, and one instruction adds for all; a second one adds what lies behind the last lane.

#include "core/engine/plan/sum_groups.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// `void(address, numbers...)`: the number of index i goes to `address` plus `steps[i]` numbers. Steps ascend from 0
/// and are below 32.
llvm::Function *shifted_warp_add_function(llvm::Module &module, llvm::Type *type, llvm::PointerType *address,
                                          llvm::ArrayRef<unsigned> steps);

} // namespace assay::engine
