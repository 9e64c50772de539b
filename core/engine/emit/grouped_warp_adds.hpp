#pragma once
// Warp-aggregated sums of several numbers at a constant distance from one address each, as those of a row of weights.
//
// Adding up the numbers one by one takes log2(32) shuffles for each. Together, half of a lane's numbers move to the
// lane beside it in each step, and the lane keeps the sums of the other half: n numbers take about n + log2(32 / n)
// shuffles, and the sums, which lie in different lanes in the end, go to memory in one instruction.

#include "core/engine/plan/sum_groups.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// `void(address, numbers...)`: the number of index i goes to `address` plus `offsets[i]` bytes.
llvm::Function *grouped_warp_add_function(llvm::Module &module, llvm::Type *type, llvm::PointerType *address,
                                          llvm::ArrayRef<std::int64_t> offsets);

} // namespace assay::engine
