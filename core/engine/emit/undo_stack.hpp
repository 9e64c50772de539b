#pragma once
// What stores overwrite that are only restored when memory turns out to overlap, and what memory intrinsics overwrite:
// a stack that the forward sweep pushes and the reverse sweep pops. It is rarely used, so all of it is out of line.

#include "core/engine/emit/rare_calls.hpp"
#include "core/engine/emit/redo_log.hpp"
#include "core/engine/plan/restored_store.hpp"

namespace assay::engine {

/// The stores that are undone from the stack.
struct Popped {
  llvm::Type *content = nullptr; ///< Of one element.
  llvm::Value *only_if = nullptr;
  Redo redo = Redo::none;
};

class UndoStack {
public:
  UndoStack(llvm::Function &function, RedoLog &log) : function_(function), log_(log) {}

  /// Before `store` of the forward sweep: keeps the overwritten value.
  void push(llvm::Instruction &store, llvm::Type *content, llvm::Value *only_if);
  /// In the reverse sweep: puts it back.
  void pop(llvm::IRBuilder<> &builder, const Popped &popped);
  /// Makes the stack, and the log, ready behind `overlap`, where that is true, and not at the function's entry: for
  /// devices, whose threads are many. Before the first push.
  void open_behind(llvm::Instruction &overlap, llvm::Type *content);
  /// In the code, whether it was opened behind anything; null where it is open from the entry on.
  llvm::Value *was_opened(llvm::IRBuilder<> &builder) const;
  void release(llvm::IRBuilder<> &builder);
  /// Replaces the calls by a branch around them; nothing may refer to block structure afterwards.
  void inline_helpers() { calls_.inline_conditions(); }

private:
  /// One for each type of content.
  llvm::AllocaInst *stack_of(llvm::Type *content);
  llvm::Function *open_function();
  llvm::Function *push_function(llvm::Type *value);
  llvm::Function *pop_function(llvm::Type *value);

  llvm::Function &function_;
  RedoLog &log_;
  llvm::MapVector<llvm::Type *, llvm::AllocaInst *> stacks_;
  llvm::AllocaInst *is_open_ = nullptr; ///< i1; null where it is open from the entry on.
  RareCalls calls_;
};

} // namespace assay::engine
