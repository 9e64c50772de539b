#pragma once
// The bytes of an integer, where they are those of numbers or of memory: shifts by whole bytes, truncations, disjoint
// unions and byte swaps only change their places.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace assay::engine {

struct BytePiece {
  enum class Kind : std::uint8_t {
    unknown,
    zero,
    constant, ///< Another one.
    number,   ///< Of a floating-point value.
    memory,   ///< Of what a load reads.
  };
  Kind kind = Kind::unknown;
  llvm::Value *source = nullptr; ///< The number, or the load.
  unsigned byte = 0;             ///< From its lowest one.

  bool is_constant() const { return kind == Kind::zero || kind == Kind::constant; }
  bool is_of(const llvm::Value &value, unsigned index) const { return source == &value && byte == index; }
};

/// From the lowest byte on; none of what has no whole bytes.
using BytePieces = llvm::SmallVector<BytePiece, 8>;
BytePieces byte_pieces(llvm::Value &integer);

/// All bytes of the value, in their order.
bool is_whole(const BytePieces &pieces, const llvm::Value &source);
/// Of a number that is not there as a whole: that is stored and loaded as what it is.
bool has_bytes_of_number(const BytePieces &pieces);
/// The size of a number or an integer.
std::uint64_t bytes_of(const llvm::Value &value);

/// A byte of a number that a loop chooses: `trunc (bits >> 8 * i)`.
struct ChosenByte {
  llvm::Value *number = nullptr;
  llvm::Value *shift = nullptr; ///< A multiple of eight bits.
};
std::optional<ChosenByte> chosen_byte(llvm::Value &integer);

} // namespace assay::engine
