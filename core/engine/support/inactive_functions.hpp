#pragma once
// Library functions that carry no derivative: output, files, time, random numbers, strings, processes, locks.

#include "llvm/ADT/StringRef.h"

namespace assay::engine {

/// `name` is the symbol, mangled for C++.
bool is_known_inactive(llvm::StringRef name);

} // namespace assay::engine
