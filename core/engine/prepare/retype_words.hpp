#pragma once
// The last resort for moves of which the type stays unknown, because the same place holds pointers, integers and
// doubles in turn: they become moves of words that are told apart when the program runs (core/engine/library/words.c).

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

void retype_words(llvm::Function &function, const TypeAnalysis &types);

} // namespace assay::engine
