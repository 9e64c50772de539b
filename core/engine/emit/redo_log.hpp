#pragma once
// A list of addresses and values that the reverse sweep writes, and that is stored last to first in the end.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

/// void note(ptr state, i1 is_last, ptr address, value): notes the value when it is the last one.
llvm::Function *redo_note_function(llvm::Module &module, llvm::Type *value);

struct RedoEntry {
  llvm::Value *is_last = nullptr; ///< No later store of the program wrote there; else nothing is noted.
  llvm::Value *address = nullptr;
  llvm::Align alignment{};
  llvm::Type *type = nullptr; ///< The same for all entries.
};

class RedoLog {
public:
  /// Notes the content of the address.
  void note(llvm::IRBuilder<> &builder, const RedoEntry &entry);
  /// Stores all that was noted, and releases the log.
  void replay(llvm::IRBuilder<> &builder);
  /// Replaces the calls of helpers by their bodies; nothing may refer to block structure afterwards.
  void inline_helpers();
  /// Where the log's state is kept, for entries of `type`.
  llvm::Value *state(llvm::Function &function, llvm::Type *type, llvm::Align alignment);
  /// The same, which is not ready before the code has run `open`.
  llvm::Value *state_to_open(llvm::Function &function, llvm::Type *type, llvm::Align alignment);
  static void open(llvm::IRBuilder<> &builder, llvm::Value *state);

private:
  struct Entries {
    llvm::Value *addresses = nullptr, *values = nullptr, *count = nullptr;
  };
  llvm::BasicBlock *write_loop(llvm::Function &function, const Entries &entries, llvm::BasicBlock *before,
                               llvm::BasicBlock *after);

  llvm::AllocaInst *state_ = nullptr;
  llvm::Type *value_ = nullptr;
  llvm::Align alignment_{};
  llvm::SmallVector<llvm::CallInst *, 4> helper_calls_;
};

} // namespace assay::engine
