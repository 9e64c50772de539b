#pragma once
#include "llvm/IR/Argument.h"

namespace assay::engine {

/// Whether a function, with all that it calls, only reads the memory behind a pointer parameter. Only the code says so:
/// false where there is none, or where the pointer is kept.
bool is_only_read(const llvm::Argument &parameter);

} // namespace assay::engine
