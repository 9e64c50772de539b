#pragma once
// Calls of the reverse sweep whose results are on the tape, as the plan says (ReusedCall of plan/tape_layout.hpp),
// become reads.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

class KeptCalls {
public:
  /// In the reverse sweep, `argument` and `result` are reads of the argument and the result of `call`; `result` comes
  /// right behind `argument`.
  void note(llvm::Value &argument, llvm::Value &result, llvm::Function &callee);
  /// Once the reverse sweep is written.
  void replace_calls();

private:
  struct Known {
    llvm::Value *argument, *result;
    llvm::Function *callee;
  };
  llvm::SmallVector<Known, 8> known_;
};

} // namespace assay::engine
