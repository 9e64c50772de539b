#pragma once
// The last resort for moves of which the type stays unknown, because the same place holds pointers, integers and
// doubles in turn: they become moves of words that are told apart when the program runs (core/engine/library/words.c).

#include "core/engine/analysis/types.hpp"
#include "core/engine/prepare/retype.hpp"

namespace assay::engine {

/// To be called before all else: moves in memory of which other functions may know more than this one, which sees only
/// pointers there. The content of a closure, or a union, depends on the object; the callers have doubles at the same
/// place.
void retype_open_words(llvm::Function &function, const TypeAnalysis &types);
void retype_words(llvm::Function &function, const TypeAnalysis &types);

/// The words that may stand for the content: also where nothing is known, if the program has only doubles.
std::optional<MemoryKind> words_behind(const TypeAnalysis &types, llvm::ArrayRef<const llvm::Value *> pointers,
                                       std::optional<std::uint64_t> size, const llvm::Module &module);

/// The stores that do nothing but move a loaded value.
llvm::SmallVector<llvm::StoreInst *, 2> stores_of(llvm::LoadInst &load);
/// These moves as moves of words.
void move_as_words(llvm::LoadInst &load, llvm::ArrayRef<llvm::StoreInst *> stores, MemoryKind words);

} // namespace assay::engine
