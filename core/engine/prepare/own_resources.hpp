#pragma once
#include "llvm/IR/Function.h"

namespace assay::engine {

/// Memory resources of the C++ library are constructed, asked and destroyed as the engine's own
/// (support/memory_resources.hpp). True when something changed.
bool use_own_resources(llvm::Function &function);

} // namespace assay::engine
