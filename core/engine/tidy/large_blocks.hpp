#pragma once
// The vectoriser of straight-line code takes time that grows with the square of a block, and finds next to nothing in
// the long blocks that derivatives of long blocks are: it passes over these.

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace assay::engine {

void spare_large_derivatives(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace assay::engine
