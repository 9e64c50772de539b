#pragma once
// Words that are a number at one time and an address at another, as members of a union are, are both at once: where a
// place is read as either, the optimiser reads it once and takes the bits of the number for the address, or the other
// way round, and joins such words from several places. A word that is read as a number is loaded and joined as a
// number, and one that is used as an address as an address; the shadow of each follows from that. The same holds for
// halves of words, which are a float at one time and an integer, or a part of an address, at another. A word that is
// loaded as an address and only stored as an integer is loaded as one.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool split_joins(llvm::Function &function);

} // namespace assay::engine
