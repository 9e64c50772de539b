#pragma once
// Shadows of constants. A table that is only read has no derivative, but a pointer to it may meet pointers to active
// memory, in a variable or in memory that keeps both. What is read or added through that pointer's shadow must not be
// the table itself: forward mode reads a table of zeros (`g.assay_zeros`), reverse mode adds to a copy that nobody
// reads
// (`g.assay_scratch`). Where a table keeps pointers, so does its shadow: to shadows of the same kind, or to those of
// mutable globals.

#include "core/engine/support/function_info.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/IR/Constants.h"

namespace assay::engine {

/// The memory that tangents are read from.
llvm::Constant *zeros_of_constant(llvm::Constant &constant, const ShadowSet &set, const FunctionInfo &function_info);

/// The memory that adjoints are added to.
llvm::Constant *scratch_of_constant(llvm::Constant &constant, const ShadowSet &set, const FunctionInfo &function_info);

} // namespace assay::engine
