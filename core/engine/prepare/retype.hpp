#pragma once
// Typed memory operations: after this step the emitters see floats moved as floats, and what stays as a memory intrinsic says
// what kind of data it moves.

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace assay::engine {

/// What a memory intrinsic moves: only integers, pointers (perhaps with integers), or uniformly one floating type.
struct MemoryKind {
  ByteKind kind = ByteKind::unknown; ///< integer, pointer or floating.
  llvm::Type *floating = nullptr;
};

llvm::Error retype_memory(llvm::Function &prepared, bool loose_types);
std::optional<MemoryKind> memory_kind(const llvm::MemIntrinsic &intrinsic);

} // namespace assay::engine
