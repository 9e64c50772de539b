#pragma once
// In code of a device the values that a loop keeps lie in words of 8 bytes, each some `stride` of bytes behind the one
// before (tape_memory.hpp). An offset counts as if they were contiguous. What is larger than a word, or is no single
// number, is written by parts, each inside of a word.

#include "core/engine/plan/tape_layout.hpp"
#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

struct TapeWords {
  llvm::Value
      *first; ///< In global memory: the address of the first word, or a place inside of it where all that follows is.
  llvm::Value *stride; ///< Bytes, an i64.
};

/// Both the heap of a device and the host's allocations are in global memory.
llvm::PointerType *global_pointer_type(llvm::LLVMContext &context);
llvm::Value *in_global_memory(llvm::IRBuilder<> &builder, llvm::Value *address);

/// From a word to the one that lies `bytes` behind it, a multiple of 8.
llvm::Value *distance_in_words(llvm::IRBuilder<> &builder, llvm::Value *stride, llvm::Value *bytes);
/// The address of the byte at `offset`, which is a multiple of `unit`, a result of `round_to_words`.
llvm::Value *word_address(llvm::IRBuilder<> &builder, const TapeWords &words, llvm::Value *offset, std::uint64_t unit);

/// The first word that iteration `iteration` writes, `bytes` of them in each.
llvm::Value *iteration_address(llvm::IRBuilder<> &builder, const TapeWords &words, llvm::Value *iteration,
                               std::uint64_t bytes);

using NoteAccess = llvm::function_ref<void(llvm::Instruction &)>;
void store_in_words(llvm::IRBuilder<> &builder, llvm::Value *value, const TapeWords &words, std::uint64_t offset,
                    NoteAccess note);
llvm::Value *load_from_words(llvm::IRBuilder<> &builder, llvm::Type *type, const TapeWords &words, std::uint64_t offset,
                             NoteAccess note);

} // namespace assay::engine
