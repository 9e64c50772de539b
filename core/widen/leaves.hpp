#pragma once
// A value of any type as a flat list: the numbers in it, and the words (integers of 16, 32, 64 or 128 bits) that may be
// the bits of numbers. Everything else in it cannot carry a number whole.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

namespace assay::widen {

struct Leaf {
  enum class Kind : std::uint8_t { number, word };
  Kind kind = Kind::number;
  llvm::Type *type = nullptr;
  llvm::SmallVector<unsigned, 4> path; ///< As of extractvalue; the last step into a vector is its lane.
  std::uint64_t offset = 0;            ///< In memory.
  std::uint32_t size = 0;              ///< Bytes that carry the value.
};

using Leaves = llvm::SmallVector<Leaf, 2>;

/// In memory order. Empty as well for types of more than some hundreds of leaves, which no program has as values.
Leaves leaves_of(llvm::Type *type, const llvm::DataLayout &layout);

/// The pieces of a type that are no leaves, as they lie in memory.
struct Piece {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};
llvm::SmallVector<Piece, 2> other_pieces_of(llvm::Type *type, const llvm::DataLayout &layout);

} // namespace assay::widen
