#pragma once
// Values of one function as short IR. The numbers of unnamed values are counted once: LLVM counts them anew for each
// value that is printed alone.

#include "llvm/IR/Function.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include <string>

namespace assay::engine {

class IrText {
public:
  explicit IrText(const llvm::Function &function);
  /// One line without metadata, cut where it is long.
  std::string operator()(const llvm::Value &value);

private:
  llvm::ModuleSlotTracker slots_;
};

} // namespace assay::engine
