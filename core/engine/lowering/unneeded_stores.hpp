#pragma once
// `enzyme_dupnoneed` with a null or made-up pointer as primal: the caller needs the shadow alone. Loads and stores of
// the primal memory are left out of the derivative where the loaded values only end in stores to the same memory.

#include "core/engine/lowering/call_parser.hpp"

namespace assay::engine {

/// A copy of `derivative` without the accesses of such memory; `derivative` itself where there is none, or where a
/// loaded value goes anywhere else. Real memory keeps its stores: another argument may overlap it. So do the halves of
/// split mode.
llvm::Function &without_unneeded_stores(llvm::Function &derivative, const ParsedCall &call);

} // namespace assay::engine
