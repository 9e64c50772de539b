#pragma once
// Memory of tapes in code of a device. It comes from the device's heap, unless the call of the convention says where
// the thread's own piece of memory lies (enzyme_tape_memory): a struct
//
//   { ptr memory; i64 bytes; i64 used; i64 wanted }
//
// from whose memory pieces are cut off, as long as there is some, and whose last word counts the bytes that would have
// been enough. While derivatives are written, calls of three functions stand for both:
//
//   take(bytes)                       fresh memory
//   grow(memory, old bytes, bytes)    the same with more bytes, perhaps elsewhere
//   leave(memory)                     taken memory that is not used any more
//
// lowering/thread_tapes.hpp decides which it is, once all are written.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

enum class TapeCall : std::uint8_t { take, grow, leave };

/// A module in which some call says where tapes lie is told so before derivatives are written.
void note_tape_memory(llvm::Module &module);
bool has_tape_memory(const llvm::Module &module);
void forget_tape_memory(llvm::Module &module);

/// Of tapes: malloc and free, where no call says anything else.
llvm::FunctionCallee tape_take_function(llvm::Module &module);
llvm::FunctionCallee tape_leave_function(llvm::Module &module);
/// Only where `has_tape_memory`.
llvm::Function *tape_grow_function(llvm::Module &module);

/// Which of the three a function is.
std::optional<TapeCall> tape_call(const llvm::Function &function);
/// The function that does so with the heap.
llvm::FunctionCallee on_heap(llvm::Module &module, TapeCall kind);
/// The function that does so with a thread's own memory, whose struct is the first argument.
llvm::Function *in_thread_memory(llvm::Module &module, TapeCall kind);

} // namespace assay::engine
