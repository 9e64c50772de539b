#pragma once
// Sums in registers. A load whose address does not change in a loop adds to the same place of shadow memory in every
// iteration of the reverse loop. Where no store of the loop can mean that place, the sum is kept in a register and
// added to memory once, on leaving the loop.

#include "core/engine/plan/plan.hpp"

namespace assay::engine {

struct Accumulation {
  const llvm::Loop *loop = nullptr;
  /// Not where one of these values (i1) is true: a store of the loop may mean the same place.
  llvm::SmallVector<llvm::Value *, 2> unless{};
};

/// The outermost loop around `load` for which that holds, if there is one.
std::optional<Accumulation> find_accumulation(const llvm::LoadInst &load, const Plan &plan,
                                              const ControlRecord &control, const llvm::LoopInfo &loops,
                                              const llvm::DominatorTree &dominators, ReloadAnalysis &reloads);

} // namespace assay::engine
