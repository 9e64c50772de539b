#pragma once
// Memory that holds numbers in bytes which were moved one by one: what parts of numbers were copied to, and wherever
// their bytes are copied or moved from there. A number may begin at any place of it, so nothing else that is seen of
// such memory tells what its bytes are.

#include "core/engine/analysis/integer_provenance.hpp"
#include "core/engine/analysis/non_escaping_bytes.hpp"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace assay::engine {

/// A copy that is noted as one of parts of numbers (MemoryContent::bytes).
bool copies_parts_of_numbers(const llvm::CallBase &copy);

/// Takes the marks in `holds_parts`, by node, on to where moves and copies take the bytes.
void spread_parts_of_numbers(std::vector<bool> &holds_parts, const MemoryGraph &graph, const IntegerProvenance &bits,
                             llvm::ArrayRef<MemoryMove> moves, llvm::ArrayRef<MemoryCopy> copies);

} // namespace assay::engine
