#pragma once
// A derivative often calls what the program called itself: next to sin(x) there is a cos(x), which is the derivative of
// the former. Where x and cos(x) are both kept, the reverse sweep reads cos(x) instead of calling it again.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// True when `candidate` is a pure call of one argument, and `value` is that argument.
bool is_call_of(const llvm::Instruction &candidate, const llvm::Instruction &value);

class KeptCalls {
public:
  /// In the reverse sweep, `argument` and `result` are reads of what `call` took and gave; `result` comes right behind
  /// `argument`.
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
