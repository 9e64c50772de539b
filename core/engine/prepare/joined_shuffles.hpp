#pragma once
// A double that is shuffled as two words, and a float that is shuffled as one, become shuffles of the number
// (rules/shuffles.hpp), of which the analyses know the type. Numbers of 16 bits in a word, one or two of them, become
// shuffles of floats.

#include "llvm/IR/Function.h"

namespace assay::engine {

bool join_shuffles(llvm::Function &function);

} // namespace assay::engine
