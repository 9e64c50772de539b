#pragma once
// Accesses at constant addresses in the first page: a field behind a null pointer. Optimisation leaves them
// where it unrolled the case of an empty list, on a path that the program never takes. The path ends there; as shadow
// and primal such an address would be neither constant memory nor memory with a shadow.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True when something was rewritten.
bool end_at_null_accesses(llvm::Function &function);

} // namespace assay::engine
