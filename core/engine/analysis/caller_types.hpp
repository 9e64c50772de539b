#pragma once
// What callers know of the memory that they pass, where a function's own uses do not tell.

#include "core/engine/analysis/memory_classes.hpp"
#include "core/engine/analysis/type_hints.hpp"
#include "core/engine/analysis/type_tree.hpp"
#include <vector>

namespace assay::engine {

/// Adds to `trees`, one for each node of `memory`, what the callers' hints say of the memory behind the root's
/// arguments.
void take_hints(const TypeHints &hints, const MemoryClasses &memory, std::vector<TypeTree> &trees);

} // namespace assay::engine
