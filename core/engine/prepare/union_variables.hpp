#pragma once
// A variable whose type is a union that begins with a number: LLVM copies it as that number, whatever it holds. Where
// an address is stored there as well, such a copy becomes one of a word, which is a number or an address.

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

/// True where there were some, which asks for a new analysis.
bool copy_union_variables_as_words(llvm::Function &function, const TypeAnalysis &types);

} // namespace assay::engine
