#pragma once
// LLVM's vectoriser of straight-line code sometimes leaves invalid code behind: LLVM 22 may use a vector before the
// instructions that it is made of. The long sums of adjoints meet such faults more often than what people write. So
// derivatives are kept as they were before, and get that back where they are broken afterwards.

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace assay::engine {

void guard_vectors_of_straight_code(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace assay::engine
