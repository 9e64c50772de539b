#pragma once
// Makes memory typed: after this every load, store and memory intrinsic of a prepared function says what it moves.
//
// Integer loads and stores that move the bits of floats become floating ones; memcpy, memmove and memset of known
// fields become typed loads and stores; the rest carries metadata `!assay.type` that says what is in the memory.

#include "core/engine/analysis/call_tree.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace assay::engine {

enum class MemoryContent : std::uint8_t {
  none,     ///< Integers: nothing to do for a derivative.
  pointer,  ///< Pointers and integers: the shadow memory is treated like the primal.
  floating, ///< One floating type all over (for memset: floats among other things).
  words,    ///< Pointers, integers and doubles, which only their bits tell apart.
};

struct MemoryKind {
  MemoryContent content;
  llvm::Type *floating = nullptr;
};

llvm::Error retype_memory(llvm::Function &prepared, bool loose_types, BodyOf body_of = own_body);

/// What `retype_memory` found out about memory that it left to an intrinsic; nothing where the type is unknown.
std::optional<MemoryKind> memory_kind(const llvm::MemIntrinsic &intrinsic);
void set_memory_kind(llvm::MemIntrinsic &intrinsic, MemoryKind kind);

} // namespace assay::engine
