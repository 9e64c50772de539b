#pragma once
// What the faults that may be in any derivative, generated or written by hand, have to know of it: which numbers carry
// derivatives, and which of them are seeds. Private to this folder.

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::jit {

struct Roles {
  llvm::DenseSet<const llvm::Value *> derivatives;
  llvm::SmallVector<llvm::Value *, 8> seeds;       ///< Numbers: arguments, and what is loaded from shadows.
  llvm::SmallVector<llvm::StoreInst *, 8> results; ///< Stores of derivatives into memory of the caller.

  bool carries(const llvm::Value *value) const { return derivatives.contains(value); }
};

/// Of a derivative that the engine just wrote.
Roles roles_of_written(llvm::Function &written);

/// A primal number that derivatives are multiplied with, or divided by, and where.
struct Factor {
  llvm::Value *value;
  llvm::SmallVector<llvm::Use *, 4> uses;
};

/// Scalars that are not constant, in the order of the code.
llvm::SmallVector<Factor, 16> factors_of(llvm::Function &function, const Roles &roles);

/// Products of a derivative and a constant: the constants' uses.
llvm::SmallVector<llvm::Use *, 8> constant_factors_of(llvm::Function &function, const Roles &roles);

} // namespace assay::jit
