#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Value.h"

namespace assay::engine {

/// One value for each lane of a batch.
using Lanes = llvm::SmallVector<llvm::Value *, 1>;

} // namespace assay::engine
