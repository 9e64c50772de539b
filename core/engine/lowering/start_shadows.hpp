#pragma once
// Shadows of globals at the start of a derivative: no number in them is left from an earlier one. What an earlier call
// left there belongs to values that the program has overwritten since, or that were a result nobody asked for.

#include "core/engine/support/request.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include <set>
#include <string>

namespace assay::engine {

using ReachedGlobals = llvm::SmallSetVector<llvm::GlobalVariable *, 8>;

/// The shadows of globals that `function` or anything that it refers to uses.
ReachedGlobals reached_shadows(llvm::Function &function);

/// The suffixes of their names: which sets of shadows these are.
std::set<std::string> names_of_sets(const ReachedGlobals &shadows);

/// How many derivatives of that mode `function` contains that use shadows of globals: the value of `Options::order`.
unsigned derivative_order(llvm::Function &function, Mode mode);

/// Sets the numbers in `shadows` to zero.
void clear_numbers(llvm::IRBuilderBase &builder, const ReachedGlobals &shadows);

} // namespace assay::engine
