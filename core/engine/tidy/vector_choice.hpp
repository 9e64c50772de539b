#pragma once
// Where straight-line code of derivatives is made into vectors by LLVM, and where not:
//
// - not in very long blocks, where that would take most of the compile time;
// - not where a loop adds to few places of memory that lie side by side, or to places that overlap with those of its
//   next iteration, as the adjoint of a stencil does: joined to vectors, the loads would wait for the smaller stores.

#include "llvm/ADT/StringRef.h"

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace assay::engine {

void choose_vectors_of_straight_code(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace assay::engine
