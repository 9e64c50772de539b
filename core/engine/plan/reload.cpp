#include "core/engine/plan/reload.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/distinct_objects.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace assay::engine {

std::optional<MemoryLocation> written_memory(const Instruction &writer) {
  if (const auto *store = dyn_cast<StoreInst>(&writer); store && store->isSimple())
    return MemoryLocation::get(store);
  if (const auto *intrinsic = dyn_cast<MemIntrinsic>(&writer); intrinsic && !intrinsic->isVolatile())
    return MemoryLocation::getForDest(intrinsic);
  return std::nullopt;
}

const Value *written_pointer(const Instruction &writer) {
  const auto *intrinsic = dyn_cast<MemIntrinsic>(&writer);
  return intrinsic ? intrinsic->getRawDest() : getLoadStorePointerOperand(&writer);
}

ReloadAnalysis::ReloadAnalysis(Function &sweep, AAResults &aliases,
                               const SmallPtrSetImpl<const Instruction *> &harmless, bool leaves_function,
                               function_ref<bool(const Value &)> is_own_memory,
                               function_ref<bool(Instruction &)> may_undo, Independence &independence)
    : aliases_(aliases), independence_(independence), leaves_function_(leaves_function), is_own_memory_(is_own_memory),
      may_undo_(may_undo) {
  aliases_.enableCrossIterationMode(); // the writer may run in a later iteration, where indices have moved on
  for (BasicBlock &block : sweep)
    for (Instruction &instruction : block)
      if (instruction.mayWriteToMemory() && !harmless.contains(&instruction))
        writers_[&block].push_back(&instruction);
}

const Reload &ReloadAnalysis::find(const LoadInst &load) {
  auto found = known_.find(&load);
  if (found != known_.end())
    return found->second;
  Reload result;
  if (load.isUnordered() && !load.isVolatile() && (!leaves_function_ || outlives_function(load)))
    result = find_clobbers(load);
  return known_[&load] = std::move(result);
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

bool ReloadAnalysis::each_writer_after(const Instruction &start, function_ref<bool(Instruction &)> visit) {
  const SmallPtrSet<const BasicBlock *, 32> &after = blocks_after(*start.getParent());
  for (const auto &[block, writers] : writers_) {
    const bool again = after.contains(block);
    if (!again && block != start.getParent())
      continue;
    for (Instruction *writer : writers)
      if ((again || start.comesBefore(writer)) && !visit(*writer))
        return false;
  }
  return true;
}

bool ReloadAnalysis::may_modify(const Instruction &writer, const MemoryLocation &location) {
  if (!isModSet(aliases_.getModRefInfo(&writer, location)))
    return false;
  const bool writes_one_place = isa<StoreInst, MemIntrinsic>(writer);
  return !writes_one_place || !lead_to_distinct_objects(*written_pointer(writer), *location.Ptr);
}

bool ReloadAnalysis::may_modify(const Instruction &writer, const MemoryLocation &location, bool by_any_thread) {
  const Value *pointer = by_any_thread && isa<StoreInst>(writer) ? getLoadStorePointerOperand(&writer) : nullptr;
  if (!pointer)
    return may_modify(writer, location);
  return !aliases_.isNoAlias(location, MemoryLocation::getBeforeOrAfter(getUnderlyingObject(pointer, 0)));
}

bool ReloadAnalysis::is_synchronised_after(const LoadInst &load) {
  const Value *object = getUnderlyingObject(load.getPointerOperand(), 0);
  if (isa<AllocaInst>(object) || load.hasMetadata(LLVMContext::MD_invariant_load))
    return false;
  return !each_writer_after(load, [](Instruction &writer) { return !waits_for_threads(synchronisation(writer)); });
}

/// Behind a barrier, other threads may have run the stores of this function with indices of their own: what a store
/// cannot overwrite is only told by the objects. What they undo is undone at the barrier in the reverse sweep, so the
/// barrier itself writes nothing.
Reload ReloadAnalysis::find_clobbers(const LoadInst &load) {
  constexpr unsigned most = 64; // stores to undo for one load
  const bool by_any_thread = is_synchronised_after(load);
  const MemoryLocation location =
      by_any_thread ? MemoryLocation::getBeforeOrAfter(getUnderlyingObject(load.getPointerOperand(), 0))
                    : MemoryLocation::get(&load);
  Reload result;
  result.possible = each_writer_after(load, [&](Instruction &writer) {
    if (synchronisation(writer) != Synchronisation::none || !may_modify(writer, location, by_any_thread))
      return true;
    if (const auto *store = dyn_cast<StoreInst>(&writer);
        store && !by_any_thread && independence_.never_overwrites(*store, load))
      return true;
    if (result.restored.size() == most || !can_undo(writer))
      return false;
    result.restored.push_back(&writer);
    return true;
  });
  return result;
}

static bool is_own_memory_of_thread(const LoadInst &load) {
  return isa<AllocaInst>(getUnderlyingObject(load.getPointerOperand(), 0));
}

SmallVector<const Instruction *, 4> ReloadAnalysis::writers_in(const LoadInst &load, const Loop &loop) {
  const MemoryLocation location = MemoryLocation::get(&load);
  SmallVector<const Instruction *, 4> result;
  for (const auto &[block, writers] : writers_)
    if (loop.contains(block))
      for (const Instruction *writer : writers) {
        if (waits_for_threads(synchronisation(*writer)) && !is_own_memory_of_thread(load)) {
          result.push_back(writer);
          continue;
        }
        if (!may_modify(*writer, location))
          continue;
        const auto *store = dyn_cast<StoreInst>(writer);
        if (!store || !independence_.never_meet(*store, load, loop))
          result.push_back(writer);
      }
  return result;
}

bool ReloadAnalysis::may_write(const Instruction &writer, const Instruction &access) {
  return may_modify(writer, MemoryLocation::get(&access));
}

/// The memory must still be there when the reverse sweep comes by: nothing that runs later may release it.
bool ReloadAnalysis::can_undo(Instruction &store) {
  auto [known, fresh] = undoable_.try_emplace(&store, false);
  if (!fresh)
    return known->second;
  const std::optional<MemoryLocation> location = written_memory(store);
  const bool result = location && may_undo_(store) && each_writer_after(store, [&](Instruction &writer) {
                        const auto *call = dyn_cast<CallBase>(&writer);
                        return !call || isa<MemIntrinsic>(call) || synchronisation(writer) != Synchronisation::none ||
                               (call->hasFnAttr(Attribute::NoFree) && !call->isConvergent()) ||
                               !isModSet(aliases_.getModRefInfo(call, *location));
                      });
  return undoable_[&store] = result;
}

} // namespace assay::engine
