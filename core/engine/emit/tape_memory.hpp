#pragma once
// Memory of tapes in code of a device. It comes from the device's heap, unless the call of the convention says where
// the thread's own memory lies (enzyme_tape_memory): a struct
//
//   { ptr memory; i64 bytes; i64 used; i64 wanted } whole, words
//
// of two pieces of memory that tapes are cut off from, as long as there is some; `wanted` counts the bytes that would
// have been enough. What needs contiguous memory, as frames do, is cut off `whole`. In `words` a thread has words of 8
// bytes, each 256 bytes behind the one before: the 32 threads of a warp share the memory in between, so that what they
// access at the same time lies together.
//
// While derivatives are written, calls of these functions stand for both kinds of memory:
//
//   take(bytes)                       fresh memory
//   take_words(bytes)                 fresh words
//   grow(memory, old bytes, bytes)    the same with more bytes, perhaps elsewhere
//   grow_words(words, old bytes, bytes)
//   leave(memory)                     taken memory or words that are not used any more
//   stride(words)                     bytes from one word to the next: 8 on the heap, 256 in a thread's own memory
//
// lowering/thread_tapes.hpp decides which it is, once all are written.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

enum class TapeCall : std::uint8_t { take, take_words, grow, grow_words, leave, stride };

/// A module in which some call says where tapes lie is told so before derivatives are written.
void note_tape_memory(llvm::Module &module);
bool has_tape_memory(const llvm::Module &module);
void forget_tape_memory(llvm::Module &module);

/// Of tapes: malloc and free, where no call says anything else.
llvm::FunctionCallee tape_take_function(llvm::Module &module);
llvm::FunctionCallee tape_take_words_function(llvm::Module &module);
llvm::FunctionCallee tape_leave_function(llvm::Module &module);
/// Of a device's tapes.
llvm::FunctionCallee tape_grow_function(llvm::Module &module);
llvm::FunctionCallee tape_grow_words_function(llvm::Module &module);
/// Bytes from one of `words` to the next.
llvm::Value *emit_tape_stride(llvm::IRBuilder<> &builder, llvm::Value *words);

/// Which of them a function is.
std::optional<TapeCall> tape_call(const llvm::Function &function);
/// The function that does so with the heap.
llvm::FunctionCallee on_heap(llvm::Module &module, TapeCall kind);
/// The function that does so with a thread's own memory, whose struct is the first argument.
llvm::Function *in_thread_memory(llvm::Module &module, TapeCall kind);

} // namespace assay::engine
