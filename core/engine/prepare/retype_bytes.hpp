#pragma once
// Moves of bytes in memory that holds parts of numbers, or of less than a number out of one: whatever type they have,
// they are copies of bytes (MemoryContent::bytes).

#include "core/engine/analysis/types.hpp"
#include "core/engine/prepare/retype.hpp"

namespace assay::engine {

/// True where there were some, which asks for a new analysis: where they go to, there are parts of numbers as well.
bool retype_bytes(llvm::Function &function, const TypeAnalysis &types);

} // namespace assay::engine
