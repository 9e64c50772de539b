#pragma once
// What debug info says of the memory of local variables, parameters and what they point to.

#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

/// Reports the declared types of the variables whose debug records stand before `instruction`, and how much they count.
void for_each_debug_evidence(const llvm::Instruction &instruction, FrameId frame, const MemoryClasses &memory,
                             llvm::function_ref<void(Location, BasicType, Rank)> visit);

} // namespace assay::engine
