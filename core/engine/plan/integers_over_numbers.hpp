#pragma once
// Integers that are stored where numbers are at other times, as members of a union are. Whoever computes with the bits
// of floats may read them as such, so the derivative that stood there before ends.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// True where integers, words or halves of words, are stored at a place that was seen to hold numbers as well.
bool is_integer_over_number(const TypeAnalysis &types, const llvm::StoreInst &store);

/// True where `function` computes with the bits of floats as with numbers: integers may be read as floats there.
bool computes_with_bits(const llvm::Function &function);

} // namespace assay::engine
