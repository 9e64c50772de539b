#pragma once
// How far two addresses are apart, where that is the same on every run.

#include "llvm/Analysis/ScalarEvolution.h"

#include <optional>

namespace assay::engine {

/// In bytes, from the first to the second; nothing where it may differ.
std::optional<std::int64_t> constant_distance(const llvm::Value &from, const llvm::Value &to,
                                              llvm::ScalarEvolution &evolution);

} // namespace assay::engine
