#pragma once
// Calls that look like the convention's and are wrong, whatever is differentiated.

#include "core/engine/lowering/failures.hpp"
#include <vector>

namespace assay::engine {

/// A name that begins like those of the convention, and is none of them, would only be missed by the linker.
void refuse_unknown_calls(llvm::Module &module, std::vector<Failure> &failures);
/// `__enzyme_iter` with other arguments than it takes.
void refuse_wrong_trip_counts(llvm::Module &module, std::vector<Failure> &failures);

} // namespace assay::engine
