#pragma once
// The places themselves, as instructions. Private to this folder.

#include "core/jit/mutate/fault.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <functional>
#include <string>

namespace assay::jit {

struct Site {
  FaultClass kind;
  llvm::Instruction *place;
  unsigned operand = 0;         ///< Which of its operands the fault is about.
  llvm::Value *other = nullptr; ///< What comes in its place; null for classes that need none.
  /// Plants the fault, and says what it is; absent where the class says it all.
  std::function<void()> change = {};
  std::string text = {};
};

llvm::SmallVector<Site, 64> find_sites(llvm::Function &written);

} // namespace assay::jit
