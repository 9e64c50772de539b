#pragma once
// Memory behind a pointer as a list of typed pieces, such as a typed copy moves one by one.

#include "core/engine/analysis/types.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Type.h"

namespace assay::engine {

struct MemoryPiece {
  std::uint64_t offset;
  llvm::Type *type;
};

/// The pieces of [0, size) without gaps, or nothing when some of it is unknown. `loose_types` takes unknown bytes for
/// integers as long as something is known.
std::optional<llvm::SmallVector<MemoryPiece, 8>> pieces_behind(const TypeAnalysis &types, const llvm::Value &pointer,
                                                               std::uint64_t size, bool loose_types);
/// As above, with the known types behind one pointer filling the gaps behind the other: both hold the same bytes.
std::optional<llvm::SmallVector<MemoryPiece, 8>> pieces_behind_both(const TypeAnalysis &types, const llvm::Value &one,
                                                                    const llvm::Value &other, std::uint64_t size,
                                                                    bool loose_types);

/// True where nothing is known, behind either pointer, of a word of [0, size).
bool leaves_word_unknown(const TypeAnalysis &types, const llvm::Value &one, const llvm::Value &other,
                         std::uint64_t size);

/// Loads all pieces behind `source`; of an integer it notes that it is one, and of one beside other pieces that it may
/// be padding.
llvm::SmallVector<llvm::Value *, 8> load_pieces(llvm::IRBuilderBase &builder, llvm::ArrayRef<MemoryPiece> pieces,
                                                llvm::Value *source, llvm::Align alignment);

/// The address `offset` bytes behind `pointer`.
llvm::Value *offset_by(llvm::IRBuilderBase &builder, llvm::Value *pointer, std::uint64_t offset);

} // namespace assay::engine
