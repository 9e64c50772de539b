#pragma once
// The C library's algorithms on arrays of the user's, which take a comparator: which element goes where is found by the
// library itself and carries no derivative; what is then moved is written as copies, which differentiate like any
// other.

#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// qsort(base, count, size, compare), qsort_r(base, count, size, compare, context)
bool expand_qsort(llvm::CallInst &call);
/// bsearch(key, base, count, size, compare): an element of the array.
bool expand_bsearch(llvm::CallInst &call);

} // namespace assay::engine
