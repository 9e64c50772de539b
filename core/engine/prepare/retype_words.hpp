#pragma once
// The last resort for moves of which the type stays unknown, because the same place holds pointers, integers and
// doubles in turn: they become moves of words that are told apart when the program runs (core/engine/library/words.c).

#include "core/engine/analysis/types.hpp"

namespace assay::engine {

/// To be called before all else: moves in memory of which other functions may know more than this one, which sees only
/// pointers there. What is in a closure, or a union, depends on the object; the callers have doubles at the same place.
void retype_open_words(llvm::Function &function, const TypeAnalysis &types);
/// Words that are loaded here or there and stored afterwards get a place on the stack, so that they are moved through
/// memory; true where there were some, which asks for a new analysis.
bool keep_joined_words_in_memory(llvm::Function &function, const TypeAnalysis &types);
void retype_words(llvm::Function &function, const TypeAnalysis &types);

} // namespace assay::engine
