#pragma once
// Which values can carry a pointer: pointers, integers of pointer size, and aggregates, which may hold either.

#include "core/engine/analysis/units.hpp"
#include "llvm/IR/Value.h"

namespace assay::engine {

/// True when a value of this type can carry a pointer.
bool may_carry_pointer(const llvm::Type &type);
/// True for integers, and vectors of them, that are wide enough for a pointer.
bool is_tracked_integer(const llvm::Type &type);
/// Integers are followed where they are moved, not where they are computed with.
bool moves_integers(const llvm::Value &value);

} // namespace assay::engine
