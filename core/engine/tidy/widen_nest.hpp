#pragma once
// Neighbouring iterations of a nest's outer loop as the elements of vectors. What the nest reads and writes at
// addresses that move by one number from iteration to iteration becomes vectors, and so does all that is computed from
// it; what does not depend on the outer loop's counters stays as it is. Each sum keeps its order. Iterations that are
// left over run as before.
//
// LLVM's vectoriser of loops takes innermost loops only, and its vectoriser of straight-line code, given the iterations
// side by side, pairs up what fits, but not always what lies side by side.

#include "core/engine/tidy/nest_memory.hpp"
#include "llvm/IR/Dominators.h"

namespace assay::engine {

/// `memory` allows `width` iterations of the nest to run side by side, and its outer loop only counts. False, and
/// nothing is changed, where something in it cannot be made a vector.
bool widen_nest(llvm::Loop &nest, const NestMemory &memory, unsigned width, llvm::LoopInfo &loops,
                llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace assay::engine
