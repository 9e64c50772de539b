#pragma once
// What is what in a derivative that the engine wrote and has not tidied yet: which code belongs to the reverse sweep,
// which values carry derivatives, which memory is shadow, tape or adjoint. It is read off the names and alias scopes
// that the emitters give (emit/alias_scopes.hpp, emit/reverse_emitter.cpp).
//
// A float carries a derivative if it comes from a shadow, an adjoint, a seed or the derivative of a callee, or if it is
// computed from one that does.

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"

namespace assay::jit {

class DerivativeParts {
public:
  explicit DerivativeParts(const llvm::Function &written);

  bool is_forward_mode() const { return forward_mode_; }
  bool in_reverse_sweep(const llvm::Instruction &instruction) const;
  bool carries_derivative(const llvm::Value *value) const { return derivatives_.contains(value); }
  bool is_shadow_access(const llvm::Instruction &access) const;
  bool is_primal_access(const llvm::Instruction &access) const;
  bool is_tape_access(const llvm::Instruction &access) const;
  /// The stack slot of an adjoint.
  bool is_adjoint_slot(const llvm::Value *pointer) const { return adjoint_slots_.contains(pointer); }
  /// A pointer into a shadow, by its name.
  static bool names_shadow(const llvm::Value &value);
  /// A call of another derivative.
  bool is_derivative_call(const llvm::CallBase &call) const;

private:
  void find_reverse_sweep(const llvm::Function &written);
  void find_adjoint_slots(const llvm::Function &written);
  void find_derivatives(const llvm::Function &written);
  bool starts_derivative(const llvm::Instruction &instruction) const;

  bool forward_mode_ = false;
  llvm::DenseSet<const llvm::BasicBlock *> reverse_blocks_;
  llvm::DenseSet<const llvm::Value *> adjoint_slots_;
  llvm::DenseSet<const llvm::Value *> derivatives_;
};

/// Floats, vectors of them, and aggregates with any.
bool holds_floats(const llvm::Type &type);

} // namespace assay::jit
