#pragma once
// Loops whose iterations the reverse sweep may undo in any order. No iteration overwrites memory that another one reads
// or writes, and a value that is carried from one to the next is at most a sum, whose adjoint is the same in all of
// them. Such a loop is undone from its first iteration to its last, as the vectorisers like it best: they would have to
// turn around each vector of a loop that counts down, and check for overlaps anew on each way into it.

#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/restored_store.hpp"

namespace assay::engine {

struct OrderIndependence {
  /// Not where one of these checks of the plan finds that memory of different arguments overlaps.
  llvm::SmallVector<unsigned, 2> unless;
};
using OrderIndependentLoops = llvm::DenseMap<const llvm::Loop *, OrderIndependence>;

struct OrderIndependenceInput {
  llvm::ArrayRef<KeptValue> kept;
  llvm::ArrayRef<RestoredStore> restored;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  ReloadAnalysis &reloads;
  Independence &independence;
  /// Whether the reverse sweep does something for an instruction of the sweep.
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint;
  /// Whether it is a pure function of numbers.
  llvm::function_ref<bool(const llvm::Instruction &)> is_scalar;
};

OrderIndependentLoops find_order_independent_loops(const OrderIndependenceInput &input);

} // namespace assay::engine
