#pragma once
// A list of addresses and values that the reverse sweep writes, and that is stored last to first in the end.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

struct RedoEntry {
  llvm::Value *is_last = nullptr; ///< No later store of the program wrote there; else nothing is noted.
  llvm::Value *address = nullptr;
  llvm::Align alignment{};
  llvm::Type *type = nullptr; ///< The same for all entries.
};

class RedoLog {
public:
  /// Notes what the address holds.
  void note(llvm::IRBuilder<> &builder, const RedoEntry &entry);
  /// Stores all that was noted, and releases the log.
  void replay(llvm::IRBuilder<> &builder);
  /// Replaces the calls of helpers by their bodies; nothing may refer to block structure afterwards.
  void inline_helpers();

private:
  void open(llvm::Function &function, const RedoEntry &first);
  llvm::Function *note_function(llvm::Module &module) const;
  llvm::BasicBlock *write_loop(llvm::Function &function, llvm::BasicBlock *after);

  llvm::AllocaInst *state_ = nullptr;
  llvm::StructType *entry_ = nullptr; ///< { address, value }
  llvm::Align alignment_{};
  llvm::SmallVector<llvm::CallInst *, 4> helper_calls_;
};

} // namespace assay::engine
