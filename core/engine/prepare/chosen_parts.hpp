#pragma once
// A union of a double and a float whose memory optimisation reads once, as a double, and of which it takes the float's
// bits where branches have met:
//
//   %value = phi double [ %loaded, %then ], [ %number, %else ]
//   %float = bitcast (trunc (bitcast %value to i64) to i32) to float
//
// The bits are chosen instead of the number, so that they are those of a load, which is then split (`split_loads.hpp`).

#include "llvm/IR/Function.h"

namespace assay::engine {

void choose_parts(llvm::Function &function);

} // namespace assay::engine
