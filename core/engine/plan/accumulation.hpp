#pragma once
// Sums in registers. A load whose address does not change in a loop adds to the same place of shadow memory in every
// iteration of the reverse loop. Where no store of the loop can mean that place, the sum is kept in a register and
// added to memory once, on leaving the loop.

#include "core/engine/plan/reload.hpp"
#include "core/engine/plan/restored_store.hpp"

namespace assay::engine {

struct Accumulation {
  const llvm::Loop *loop = nullptr;
  /// Not where one of these checks of the plan finds an overlap: a store of the loop may mean the same place.
  llvm::SmallVector<unsigned, 2> unless{};
};

/// By load of the forward sweep.
using Accumulations = llvm::MapVector<const llvm::LoadInst *, Accumulation>;

struct AccumulationInput {
  llvm::Function &sweep;
  llvm::ArrayRef<RestoredStore> restored;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  const llvm::DominatorTree &dominators;
  ReloadAnalysis &reloads;
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint; ///< The reverse sweep does something for it.
};

/// For each load with an adjoint, the outermost loop around it for which that holds, if there is one.
Accumulations find_accumulations(const AccumulationInput &input);

} // namespace assay::engine
