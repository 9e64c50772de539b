#pragma once
// The values of the forward sweep that the reverse sweep reads, and where.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

/// A value is read when the reverse sweep passes its places: once all that follows a place has been undone, and neither
/// the place nor anything before it has.
struct Needs {
  llvm::SetVector<llvm::Value *> values;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Instruction *, 2>> places;

  llvm::SmallPtrSet<const llvm::Argument *, 8> arguments; ///< Read as they are.

  void add(llvm::Value *value, const llvm::Instruction &place) {
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      arguments.insert(argument);
    if (!llvm::isa<llvm::Instruction>(value))
      return;
    values.insert(value);
    places[value].push_back(&place);
  }
};

} // namespace assay::engine
