#pragma once
// Loads, stores and atomic operations, seen as moves from and to memory.

#include "llvm/IR/Instructions.h"
#include <optional>

namespace assay::engine {

struct MemoryAccess {
  const llvm::Value *pointer;
  const llvm::Value *read;    ///< The value that comes from memory, or null.
  const llvm::Value *written; ///< The value that goes to memory, or null.
};

std::optional<MemoryAccess> memory_access(const llvm::Instruction &instruction);

} // namespace assay::engine
