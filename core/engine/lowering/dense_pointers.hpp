#pragma once
// `__enzyme_todense(load, store, arguments...)`: a pointer that calls `load` and `store` where it is read and written,
// so that the shadow of a dense array need not be one.

#include "core/engine/lowering/failures.hpp"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace assay::engine {

/// To be run when every derivative is written. Functions that are given such a pointer get copies that take its offset
/// and the arguments of `load` and `store` in its place.
void lower_dense_pointers(llvm::Module &module, llvm::FunctionAnalysisManager &analyses,
                          std::vector<Failure> &failures);

} // namespace assay::engine
