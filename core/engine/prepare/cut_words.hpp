#pragma once
// A number or an address that is moved in two parts, one of them an odd integer of 24 or 56 bits, because the optimiser
// took a variable apart within it (`cut_variables.hpp`): it is stored as a whole again.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool rejoin_cut_words(llvm::Function &function);

} // namespace assay::engine
