#pragma once
// Loops whose iterations the reverse sweep may undo in any order. No iteration overwrites what another one reads or
// writes, and what is carried from one to the next is at most a sum, whose adjoint is the same in all of them. Such a
// loop is undone from its first iteration to its last, as the vectorisers like it best: they would have to turn around
// each vector of a loop that counts down, and check for overlaps anew on each way into it.

#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/undone_store.hpp"

namespace assay::engine {

struct FreeOrder {
  /// Not where one of these checks of the plan finds that memory of different arguments overlaps.
  llvm::SmallVector<unsigned, 2> unless;
};
using FreeOrders = llvm::DenseMap<const llvm::Loop *, FreeOrder>;

struct FreeOrderInput {
  llvm::ArrayRef<KeptValue> kept;
  llvm::ArrayRef<UndoneStore> undone;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  ReloadAnalysis &reloads;
  Independence &independence;
  /// Whether the reverse sweep does something for an instruction of the sweep.
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint;
  /// Whether it is a pure function of numbers.
  llvm::function_ref<bool(const llvm::Instruction &)> is_scalar;
};

FreeOrders find_free_orders(const FreeOrderInput &input);

} // namespace assay::engine
