#pragma once
// Maxima and minima: intrinsics, the device's among them, and library functions.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// A call of a maximum or minimum, which gives one of its two operands.
bool is_extremum(const llvm::Instruction &instruction);

} // namespace assay::engine
