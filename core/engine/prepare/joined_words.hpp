#pragma once
// Words that are loaded here or there and stored afterwards: members of a union that the optimiser keeps in registers.
// Which of them is a number and which an address only the run tells, so each gets a place on the stack through which it
// is moved as memory is. What else is done with such a word, where it is an address at times, is done with the word
// itself.

#include "core/engine/analysis/types.hpp"
#include "core/engine/prepare/retype.hpp"

namespace assay::engine {

/// True where there were some, which asks for a new analysis.
bool keep_joined_words_in_memory(llvm::Function &function, const TypeAnalysis &types);
/// True of the stack memory of such a word.
bool stands_for_joined_word(const llvm::Value &place);

} // namespace assay::engine
