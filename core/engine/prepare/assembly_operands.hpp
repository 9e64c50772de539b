#pragma once
// The operands of a statement of inline assembly by the numbers that its text gives them.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {

/// One constraint of the statement with the value that it reads: an argument, or that of the input tied to an output.
struct AssemblyOperand {
  bool is_output = false;
  llvm::Value *value = nullptr;
};

/// The operands in the order of their numbers. Outputs come first; clobbers have no number.
llvm::SmallVector<AssemblyOperand, 4> assembly_operands(const llvm::CallBase &call, const llvm::InlineAsm &assembly);

} // namespace assay::engine
