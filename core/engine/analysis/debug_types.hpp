#pragma once
// Debug info as evidence of types: the memory of local variables, of parameters and behind their pointers.

#include "core/engine/analysis/evidence.hpp"
#include "core/engine/analysis/memory_classes.hpp"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

/// Reports the declared types of the variables whose debug records stand before `instruction`, and how much they count.
void for_each_debug_evidence(const llvm::Instruction &instruction, FrameId frame, const MemoryClasses &memory,
                             llvm::function_ref<void(Location, BasicType, Rank)> visit);

} // namespace assay::engine
