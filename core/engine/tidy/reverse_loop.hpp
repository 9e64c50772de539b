#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace assay::engine {

/// Whether the iterations of a loop of one block can be run from the last one to the first, as far as registers are
/// concerned: it counts, and adds up numbers in any order. It has to be in LCSSA form.
bool can_be_reversed(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

void reverse(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace assay::engine
