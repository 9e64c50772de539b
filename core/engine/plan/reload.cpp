#include "core/engine/plan/reload.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace assay::engine {

ReloadAnalysis::ReloadAnalysis(Function &sweep, AAResults &aliases,
                               const SmallPtrSetImpl<const Instruction *> &harmless, bool leaves_function,
                               function_ref<bool(const Value &)> is_own_memory)
    : aliases_(aliases), leaves_function_(leaves_function), is_own_memory_(is_own_memory) {
  aliases_.enableCrossIterationMode(); // the writer may run in a later iteration, where indices have moved on
  for (BasicBlock &block : sweep)
    for (Instruction &instruction : block)
      if (instruction.mayWriteToMemory() && !harmless.contains(&instruction))
        writers_[&block].push_back(&instruction);
}

bool ReloadAnalysis::can_reload(const LoadInst &load) {
  if (!load.isUnordered() || load.isVolatile())
    return false;
  auto [known, fresh] = known_.try_emplace(&load, false);
  if (fresh) {
    const bool result = (!leaves_function_ || outlives_function(load)) && !is_clobbered(load);
    known_[&load] = result;
    return result;
  }
  return known->second;
}

/// All memory that the load can mean belongs to the sweep alone, or never changes.
bool ReloadAnalysis::outlives_function(const LoadInst &load) {
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects, nullptr, 0);
  return all_of(objects, [&](const Value *object) {
    if (const auto *global = dyn_cast<GlobalVariable>(object))
      return global->isConstant();
    return is_own_memory_(*object);
  });
}

const SmallPtrSet<const BasicBlock *, 32> &ReloadAnalysis::blocks_after(const BasicBlock &block) {
  auto [found, fresh] = after_.try_emplace(&block);
  if (!fresh)
    return found->second;
  SmallPtrSet<const BasicBlock *, 32> &after = found->second;
  SmallVector<const BasicBlock *, 8> pending{&block};
  while (!pending.empty())
    for (const BasicBlock *next : successors(pending.pop_back_val()))
      if (after.insert(next).second)
        pending.push_back(next);
  return after;
}

bool ReloadAnalysis::is_clobbered(const LoadInst &load) {
  const MemoryLocation location = MemoryLocation::get(&load);
  const SmallPtrSet<const BasicBlock *, 32> &after = blocks_after(*load.getParent());
  const auto writes = [&](const Instruction *writer) { return isModSet(aliases_.getModRefInfo(writer, location)); };
  for (const auto &[block, writers] : writers_) {
    const bool again = after.contains(block);
    if (!again && block != load.getParent())
      continue;
    for (const Instruction *writer : writers)
      if ((again || load.comesBefore(writer)) && writes(writer))
        return true;
  }
  return false;
}

} // namespace assay::engine
