#pragma once
// memcpy, memmove and memset become typed loads and stores, or carry the types of the bytes they move.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

void retype_transfers(llvm::Function &function, const TypeAnalysis &types, bool loose_types);

} // namespace assay::engine
