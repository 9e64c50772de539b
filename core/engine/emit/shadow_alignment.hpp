#pragma once
// How accesses to shadows are aligned. A program may have found out where its memory lies before it moves several
// numbers at once, as vector libraries do: that a primal address is a multiple of 16 says nothing of its shadow's.

#include "llvm/IR/Instruction.h"
#include "llvm/Support/Alignment.h"

namespace assay::engine {

/// Of the shadow that is accessed as `access` accesses the primal: no more than a single number of that type asks for.
llvm::Align shadow_alignment(const llvm::Instruction &access);

/// As far as `access`, a copy of a primal load, store, transfer or fill that goes to shadows, claims more, it claims
/// that.
void relax_alignment(llvm::Instruction &access);

} // namespace assay::engine
