#pragma once
// Who releases the memory that a gradient allocates, when, and where it comes from; decided on the prepared function,
// before anything is written.

#include "core/engine/analysis/activity.hpp"
#include "core/engine/analysis/row_tables.hpp"
#include "core/engine/plan/late_releases.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::engine {

enum class MemorySource : std::uint8_t {
  memory_stack, ///< The gradient's own: releases come in the opposite order of the allocations.
  heap,         ///< The program's allocator.
  lasting_heap, ///< The same, and all of it is released when the whole gradient ends.
};

struct MemoryPlan {
  /// Allocations that the reverse sweep releases, with their shadows, where it passes them, or in the end.
  llvm::MapVector<const llvm::CallBase *, MemorySource> released_late{};
  /// Releases of the primal that are left out, since the reverse sweep releases the memory.
  llvm::SmallSetVector<const llvm::CallBase *, 4> left_out{};
  /// Releases of the primal whose shadows wait in a list for the end of the whole gradient.
  llvm::SmallSetVector<const llvm::CallBase *, 4> deferred_frees{};
  /// Those of rows of tables (row_tables.hpp), which wait there with their shadows: the reverse sweep may read them.
  llvm::SmallSetVector<const llvm::CallBase *, 4> deferred_rows{};

  /// One line a decision.
  void print(llvm::raw_ostream &out) const;
};

struct MemoryPlanInput {
  llvm::Function &prepared;
  const ActivityAnalysis &activity;
  const FunctionInfo &function_info;
  const RowTables &tables;
  bool split;             ///< The reverse sweep is a function of its own.
  bool keeps_address_log; ///< Memory has to last in which an address was changed.
};

MemoryPlan plan_memory(const MemoryPlanInput &input);

} // namespace assay::engine
