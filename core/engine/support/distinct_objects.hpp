#pragma once

namespace llvm {
class Value;
}

namespace assay::engine {

/// Whether no object that one pointer may lead to is one of the other's: allocations, variables and arguments without
/// aliases, which phis and selects choose from, as where two buffers change places after each step. LLVM's alias
/// analysis gives up where such phis lead to one another.
bool lead_to_distinct_objects(const llvm::Value &one, const llvm::Value &other);

} // namespace assay::engine
