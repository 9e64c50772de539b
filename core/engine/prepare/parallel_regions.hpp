#pragma once
// Parallel regions of OpenMP, in one thread. OpenMP leaves the size of a team to the implementation, so what a team of
// one computes is a result of the program: it has all iterations, sections and tasks, waits for nobody, and combines
// its own partial results alone. Derivatives compute so, since the adjoint of what threads read together would be
// added to by all of them.

#include "llvm/IR/Function.h"

namespace assay::engine {

/// True for the outlined body of a region: a function that `__kmpc_fork_call` is given, or a local one that
/// only bodies call.
bool is_region_body(const llvm::Function &function);

/// Makes calls of the bodies that `function` would start in threads, and answers its calls of the runtime as the
/// runtime answers a team of one. In a body, of which `function` may be a clone (`source`), atomic operations are plain
/// ones. True where there was something to do.
bool run_regions_in_one_thread(llvm::Function &function, const llvm::Function &source);

/// The same for a whole program, which then needs no runtime.
void run_regions_in_one_thread(llvm::Module &module);

} // namespace assay::engine
