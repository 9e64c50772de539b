#pragma once
// Makes memory typed: after this every load, store and memory intrinsic of a prepared function has the type of the
// bytes it moves.
//
// Integer loads and stores that move the bits of floats become floating ones; memcpy, memmove and memset of known
// fields become typed loads and stores; the rest carries metadata `!assay.type` with the types of the memory.

#include "core/engine/analysis/type_hints.hpp"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace assay::engine {

enum class MemoryContent : std::uint8_t {
  none,     ///< Integers: nothing to do for a derivative.
  pointer,  ///< Pointers and integers: the shadow memory is treated like the primal.
  floating, ///< One floating type all over (for memset: floats among other things).
  words,    ///< Pointers, integers and numbers, which only their bits tell apart.
  bytes,    ///< Parts of numbers, which begin anywhere, and integers.
  reversed, ///< One number, whose bytes are in the reversed order.
};

struct MemoryKind {
  MemoryContent content;
  llvm::Type *floating = nullptr; ///< Of words: double, float, or null where the numbers may be either.
  bool halves_tell = false; ///< Of either: no float is an upper half, so one has zeros there and a double has not.
};

/// The treatment of moves of unknown type.
enum class Unknown : std::uint8_t {
  left,    ///< Nothing, since more may become known.
  words,   ///< Where that is possible they move words that their bits tell apart.
  guessed, ///< Bytes that even that does not cover are floats, and unknown bytes among known ones are integers.
};

/// False where the type of something that is moved is not known; `hints` may tell it.
/// `known` are its types, where they have been looked at.
bool retype_memory(llvm::Function &prepared, Unknown unknown, BodyOf body_of = own_body,
                   const TypeHints *hints = nullptr, std::optional<TypeAnalysis> known = std::nullopt);

/// Type hints of callers contradict themselves where different objects of theirs are one node of the memory graph.
/// Transfers that have no type with hints get the one that type analysis finds in the function alone.
void retype_transfers_left(llvm::Function &prepared, BodyOf body_of);

/// For after the function was simplified: moves of which the type is no longer told move words where that is possible.
/// The types of what the function is then, where they have been looked at.
std::optional<TypeAnalysis> retype_words_left(llvm::Function &prepared, BodyOf body_of);

/// The content that `retype_memory` found of memory that it left to an intrinsic; nothing where the type is unknown.
std::optional<MemoryKind> memory_kind(const llvm::MemIntrinsic &intrinsic);
void set_memory_kind(llvm::MemIntrinsic &intrinsic, MemoryKind kind);

} // namespace assay::engine
