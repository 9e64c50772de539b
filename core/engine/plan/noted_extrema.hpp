#pragma once
// Maxima and minima of which the forward sweep notes which operand was taken, as a truth value. The reverse sweep of
// device code reads it in place of the operands: where they cannot be computed again, a byte is kept, not two numbers.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/support/extremum.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

struct NotedExtrema {
  llvm::MapVector<const llvm::Instruction *, Extremum> kinds; ///< By prepared instruction.

  /// One line for each.
  void print(llvm::raw_ostream &out) const;
};

NotedExtrema plan_noted_extrema(const llvm::Function &prepared, const ActivityAnalysis &activity);

} // namespace assay::engine
