#pragma once
// The interface of a split derivative, as its plan tells: the values that callers pass, keep and free.

#include "core/engine/plan/plan.hpp"
#include "llvm/ADT/SmallBitVector.h"

namespace assay::engine {

/// Of both halves of one split derivative.
struct DerivativeInterface {
  /// By parameter of the forward sweep: primal arguments and shadows that the reverse sweep reads.
  llvm::SmallBitVector arguments_read{};
  bool has_tape = false;     ///< The reverse sweep reads the tape, or releases it.
  bool defers_frees = false; ///< The forward sweep adds to its caller's list of memory to release.
};

/// Of a forward sweep that was planned for a reverse sweep apart.
DerivativeInterface interface_of(const llvm::Function &sweep, const Plan &plan, bool defers_frees);

} // namespace assay::engine
