#pragma once
// Work that is rarely done, out of line, behind a condition that loops are freed of (tidy/overlap_loop_versioning.hpp).

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace assay::engine {

/// A cold function of the engine's own that is never inlined; `write` writes its body up to the return.
llvm::Function *rare_function(llvm::Module &module, llvm::StringRef name, llvm::ArrayRef<llvm::Type *> parameters,
                              llvm::function_ref<void(llvm::IRBuilder<> &, llvm::Function &)> write);

class RareCalls {
public:
  /// Calls `rare` where `condition` (i1) is true.
  void add(llvm::IRBuilder<> &builder, llvm::Value *condition, llvm::Function &rare,
           llvm::ArrayRef<llvm::Value *> arguments);
  /// Writes the branches around the calls; nothing may refer to block structure afterwards.
  void inline_conditions();

private:
  llvm::SmallVector<llvm::CallInst *, 4> calls_;
};

} // namespace assay::engine
