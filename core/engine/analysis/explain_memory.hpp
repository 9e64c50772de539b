#pragma once
// For people: where memory comes from and what is done with it, with source lines where there are any. Part of the
// diagnostics that say that a type is not known.

#include "llvm/IR/Value.h"
#include <string>

namespace assay::engine {

/// `; the memory is argument 1 ('to'), moved by memcpy (line 7), stored to as double (line 9)`, or nothing.
std::string chain_of_uses(const llvm::Value &pointer);

} // namespace assay::engine
