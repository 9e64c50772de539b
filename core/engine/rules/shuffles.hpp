#pragma once
// Shuffles: each lane of a warp gets the value of another. The device moves words; a double is moved as two, by a
// function of the engine's own, so that analyses see one number (prepare/joined_shuffles.hpp).

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace assay::engine {

enum class ShuffleKind : std::uint8_t { index, up, down, butterfly };

/// Which lanes take part, how far or from where, and the bounds of segments, as the instruction takes them.
struct ShuffleOperands {
  llvm::Value *members, *value, *distance, *bounds;
};

/// The kind of a shuffle of floats or doubles; nothing for other calls.
std::optional<ShuffleKind> shuffle_of_numbers(const llvm::Instruction &instruction);
/// The kind of a shuffle of words.
std::optional<ShuffleKind> shuffle_of_words(const llvm::Instruction &instruction);
ShuffleOperands shuffle_operands(const llvm::CallBase &shuffle);

/// A shuffle of a word, a float or a double.
llvm::Value *emit_shuffle(llvm::IRBuilderBase &builder, ShuffleKind kind, const ShuffleOperands &operands);

/// The sum of `value` over those lanes whose `source` is this lane.
llvm::Value *emit_gather_from_lanes(llvm::IRBuilderBase &builder, llvm::Value *members, llvm::Value *value,
                                    llvm::Value *source);

} // namespace assay::engine
