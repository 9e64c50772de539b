#pragma once
// The plan: how every value of the forward sweep that the reverse sweep reads gets there, where on the tape the kept
// ones lie, which adjoints are summed up in registers and which loops are undone in any order. Decided here and nowhere
// else; the emitter only looks it up.

#include "core/engine/plan/accumulation.hpp"
#include "core/engine/plan/control.hpp"
#include "core/engine/plan/order_independent_loops.hpp"
#include "core/engine/plan/storage.hpp"
#include "core/engine/plan/sum_groups.hpp"
#include "core/engine/plan/tape_layout.hpp"

namespace assay::engine {

struct Plan : StoragePlan {                        // `kept` has the values that restored stores overwrite as well
  TapeLayout tape{};                               ///< Where the kept values lie.
  Accumulations accumulations{};                   ///< Adjoints that are summed up in registers.
  OrderIndependentLoops order_independent_loops{}; ///< Loops that may be undone from their first iteration on.
  SumGroups sum_groups{};                          ///< Of prepared loads in code of a device.

  /// Storage, one line a value in alphabetical order; then restored stores, the tape's layout, accumulations, loops in
  /// free order and groups of sums.
  void print(llvm::raw_ostream &out) const;
};

struct PlanInput : StorageInput {
  ReloadAnalysis &reloads;
  Independence &independence;
  /// Whether the reverse sweep does something for an instruction of the sweep.
  llvm::function_ref<bool(const llvm::Instruction &)> has_adjoint;
  /// Whether it is a pure function of numbers.
  llvm::function_ref<bool(const llvm::Instruction &)> is_scalar;
  bool runtime_activity; ///< Each access asks where its shadow is.
  Caller caller;
};

Plan make_plan(const PlanInput &input);

} // namespace assay::engine
