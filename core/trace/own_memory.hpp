#pragma once
// Memory effects that calls into a run-time add to a program.

#include "llvm/Support/ModRef.h"

namespace assay::trace {

/// Of a call into the run-time: its memory is none that the program sees.
inline llvm::MemoryEffects own_memory() {
  return llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::ModRef);
}

} // namespace assay::trace
