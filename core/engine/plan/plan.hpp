#pragma once
// The plan: for every value of the forward sweep that the reverse sweep reads, how it gets there. Decided here and
// nowhere else; the emitter only looks it up.

#include "core/engine/plan/control.hpp"
#include "core/engine/plan/needs.hpp"
#include "core/engine/plan/reload.hpp"
#include "llvm/ADT/SetVector.h"

namespace assay::engine {

enum class Storage : std::uint8_t {
  direct,      ///< The value itself is still there: combined mode, computed once on every path.
  recompute,   ///< Computed again from its operands (loads included, where the memory has not changed).
  closed_form, ///< A loop-carried value: start + iteration * step.
  iteration,   ///< A loop's iteration counter: the reverse loop has its own.
  frame,       ///< Stack memory that was placed into the tape's frame.
  tape,        ///< Stored when computed, loaded when needed.
};

/// The reverse sweep puts back what the store overwrote, so that loads can be repeated.
struct UndoneStore {
  llvm::Instruction *store = nullptr; ///< Or an intrinsic that fills or copies memory.
  /// Only where this value (i1, the same in the whole run) is true: the memory of the store and of the loads overlap.
  llvm::Value *only_if = nullptr;
  llvm::SmallVector<const llvm::LoadInst *, 4> checked{}; ///< These loads.
  /// Each iteration of these overwrites the same memory: in the end only the last one's values are there.
  llvm::SmallVector<const llvm::Loop *, 2> repeating{};
};

struct Plan {
  llvm::DenseMap<const llvm::Value *, Storage> storage;
  llvm::SmallVector<llvm::Instruction *, 16> taped; ///< In program order.
  llvm::SmallVector<UndoneStore, 4> undone;         ///< In program order.

  /// One line a value, for `assay explain` and for tests.
  void print(llvm::raw_ostream &out) const;
};

struct PlanInput {
  llvm::Function &sweep;
  const Needs &needed;
  const ControlRecord &control;
  const llvm::LoopInfo &loops;
  const llvm::DominatorTree &dominators;
  llvm::ScalarEvolution &evolution;
  bool split;
  llvm::function_ref<const Reload &(const llvm::LoadInst &)> reload;
  llvm::function_ref<bool(const llvm::Instruction &)> is_expensive;
};

Plan make_plan(const PlanInput &input);

} // namespace assay::engine
