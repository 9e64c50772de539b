#pragma once
// What the faults that may be in any derivative, generated or written by hand, have to know of it: which numbers carry
// derivatives, and which of them are seeds. Private to this folder.

#include "core/jit/registered_rules.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::jit {

struct Roles {
  llvm::DenseSet<const llvm::Value *> derivatives;
  llvm::SmallVector<llvm::Value *, 8> seeds; ///< Numbers: arguments, and what is loaded from shadows.
  llvm::SmallVector<llvm::Use *, 8> results; ///< Where derivatives go to memory of the caller, or are returned.

  bool carries(const llvm::Value *value) const { return derivatives.contains(value); }
};

/// Of a derivative that the engine just wrote.
Roles roles_of_written(llvm::Function &written);

/// Of a function of a registered rule for `primal`: its tangent function, or the second half of its gradient. Where the
/// parameters are not those that the convention has for it, nothing is known.
Roles roles_of_tangent(llvm::Function &part, const llvm::Function &primal);
Roles roles_of_reverse(llvm::Function &part, const llvm::Function &primal);

/// Of a function of a rule of <assay/rules.hpp>: what its shadow parameters lead to carries derivatives.
Roles roles_of_template(llvm::Function &part, const RegisteredRule &rule);

/// A primal number that derivatives are multiplied with, or divided by, and where.
struct Factor {
  llvm::Value *value;
  llvm::SmallVector<llvm::Use *, 4> uses;
};

/// A product to which something is added in one step.
bool is_fused(const llvm::Instruction &instruction);

/// Scalars that are not constant, in the order of the code.
llvm::SmallVector<Factor, 16> factors_of(llvm::Function &function, const Roles &roles);

/// Products of a derivative and a constant: the constants' uses.
llvm::SmallVector<llvm::Use *, 8> constant_factors_of(llvm::Function &function, const Roles &roles);

} // namespace assay::jit
