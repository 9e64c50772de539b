#pragma once
// `__enzyme_iter(n, more)`: a trip count that is n in the program and n + more in differentiated code, as for a
// series that is cut off and whose derivative needs another term.

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// True for a call with two integers that gives an integer.
bool is_trip_count(const llvm::CallBase &call);

/// Makes sums of the trip counts in `function`, a copy that is differentiated.
void add_iterations(llvm::Function &function);

} // namespace assay::engine
