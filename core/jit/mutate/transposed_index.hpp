#pragma once
// An address that depends on two counters, such as row * columns + column, with the two exchanged. The counters are
// what its indices are computed from by sums, products and conversions: loop variables, or the reverse sweep's
// iteration counters; what is known at entry, such as a number of columns, is none.

#include "llvm/IR/Instructions.h"

namespace assay::jit {

/// True where the two counters play different parts.
bool has_row_and_column(const llvm::GetElementPtrInst &address);

void exchange_row_and_column(llvm::GetElementPtrInst &address);

} // namespace assay::jit
