#pragma once
// A nest of loops in two copies: one for where its memory is as hoped for, and one for where it is not.

#include "core/engine/tidy/nest_memory.hpp"
#include "llvm/IR/Dominators.h"

namespace assay::engine {

/// Says that the loops are those of a derivative. The program's own are left alone.
void mark_loops(llvm::Function &derivative, llvm::FunctionAnalysisManager &analyses);
bool has_marked_loops(const llvm::Function &function);
bool is_marked(const llvm::Loop &loop);

/// The nest itself runs where `condition`, which is computed before it, is true; a copy of it where not. False, and
/// nothing is changed, when it is never true.
bool leave_copy(llvm::Loop &nest, llvm::Value &condition, llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

/// The same, and in the nest, places of `memory` of which one is written do not overlap.
bool separate(llvm::Loop &nest, const NestMemory &memory, llvm::Value &condition, llvm::LoopInfo &loops,
              llvm::DominatorTree &dominators);

} // namespace assay::engine
