#pragma once
// A variable of which one byte is accessed alone (a union whose first member is a character keeps the object that a
// vector inserts) is taken apart by the optimiser at that byte, and with it the number or address that begins there.
// Where the first bytes became a value, and the rest is memory that is only copied as a whole, the variable is put
// together again. Variables that became values altogether are left to `cut_words.hpp`.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool rejoin_cut_variables(llvm::Function &function);

} // namespace assay::engine
