#pragma once
// Reloading: a load of the forward sweep may be repeated in the reverse sweep when nothing that runs after it, in the
// rest of the forward sweep, can have changed the memory; or when the stores that can have are restored by the reverse
// sweep on its way back, so that memory has its earlier content again.

#include "core/engine/plan/independence.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {

/// Whether a load can be repeated, and which stores have to be restored for that.
struct Reload {
  bool possible = false;
  llvm::SmallVector<llvm::Instruction *, 2> restored{}; ///< Stores, and intrinsics that fill or copy.
};

/// The memory that a store, or an intrinsic that fills or copies memory, writes; nothing where that is volatile or
/// atomic.
std::optional<llvm::MemoryLocation> written_memory(const llvm::Instruction &writer);
const llvm::Value *written_pointer(const llvm::Instruction &writer);

class ReloadAnalysis {
public:
  /// `harmless` are instructions that write nothing a load can see. With `leaves_function` the reverse sweep runs after
  /// the forward sweep's function has returned: memory that its caller can reach may change in between. `may_undo`
  /// tells stores that the reverse sweep would be able to undo.
  ReloadAnalysis(llvm::Function &sweep, llvm::AAResults &aliases,
                 const llvm::SmallPtrSetImpl<const llvm::Instruction *> &harmless, bool leaves_function,
                 llvm::function_ref<bool(const llvm::Value &)> is_own_memory,
                 llvm::function_ref<bool(llvm::Instruction &)> may_undo, Independence &independence);

  const Reload &find(const llvm::LoadInst &load);
  /// The instructions that may write, in any iteration of `loop`, to the memory that `load` reads there.
  llvm::SmallVector<const llvm::Instruction *, 4> writers_in(const llvm::LoadInst &load, const llvm::Loop &loop);

  /// Whether `writer`, in any iteration, may write to the memory of the load or store `access`.
  bool may_write(const llvm::Instruction &writer, const llvm::Instruction &access);

private:
  const llvm::SmallPtrSet<const llvm::BasicBlock *, 32> &blocks_after(const llvm::BasicBlock &block);
  bool outlives_function(const llvm::LoadInst &load);
  Reload find_clobbers(const llvm::LoadInst &load);
  /// True when other threads may write to the memory of the load before the forward sweep ends, because this one waits
  /// for them.
  bool is_synchronised_after(const llvm::LoadInst &load);
  bool may_modify(const llvm::Instruction &writer, const llvm::MemoryLocation &location);
  bool may_modify(const llvm::Instruction &writer, const llvm::MemoryLocation &location, bool by_any_thread);
  bool can_undo(llvm::Instruction &store);
  /// Calls `visit` on each instruction that may write after `start`, until it returns false; false when it did.
  bool each_writer_after(const llvm::Instruction &start, llvm::function_ref<bool(llvm::Instruction &)> visit);

  llvm::BatchAAResults aliases_;
  Independence &independence_;
  bool leaves_function_;
  llvm::function_ref<bool(const llvm::Value &)> is_own_memory_;
  llvm::function_ref<bool(llvm::Instruction &)> may_undo_;
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *, 4>> writers_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallPtrSet<const llvm::BasicBlock *, 32>> after_;
  llvm::DenseMap<const llvm::LoadInst *, Reload> known_;
  llvm::DenseMap<const llvm::Instruction *, bool> undoable_;
};

} // namespace assay::engine
