#include "core/engine/plan/block_order.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Visible to other blocks: neither local nor shared memory.
bool may_be_global(const Value &object) {
  if (isa<AllocaInst>(object))
    return false;
  if (const auto *variable = dyn_cast<GlobalVariable>(&object))
    return !is_shared_memory(*variable) && !variable->isConstant();
  return !is_in(*object.getType(), DeviceMemory::shared) && !is_in(*object.getType(), DeviceMemory::local);
}

/// The same computation twice, as unoptimised code has it.
bool is_same(const Value &one, const Value &other) {
  if (&one == &other)
    return true;
  const auto *first = dyn_cast<Instruction>(&one), *second = dyn_cast<Instruction>(&other);
  if (!first || !second || !first->isSameOperationAs(second) || first->mayReadFromMemory() || isa<PHINode>(first))
    return false;
  return all_of(zip(first->operands(), second->operands()), [](const auto &operands) {
    return is_same(*std::get<0>(operands).get(), *std::get<1>(operands).get());
  });
}

struct Place {
  const Instruction *access;
  const Value *pointer, *object;
};

/// Whether `is_wanted` holds for an instruction or, where it is a call, for one of the callee's.
bool holds_within(const Instruction &instruction, function_ref<bool(const Instruction &)> is_wanted) {
  if (is_wanted(instruction))
    return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() && !is_device_library_function(*callee) &&
         any_of(instructions(*callee), is_wanted);
}

/// Of the whole device or more.
bool is_wide_fence(const Instruction &instruction) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  const StringRef name = call ? call->getCalledFunction()->getName() : StringRef();
  if (const auto *fence = dyn_cast<FenceInst>(&instruction))
    return is_device_code(instruction) && fence->getSyncScopeID() != SyncScope::SingleThread;
  return name == "llvm.nvvm.membar.gl" || name == "llvm.nvvm.membar.sys" ||
         (name.starts_with("llvm.nvvm.fence.") && !name.contains("cta") && !name.contains("proxy"));
}

/// An update of an integer, such as a counter of blocks.
bool is_signal(const Instruction &instruction) {
  const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
  return (update && update->getType()->isIntegerTy()) || isa<AtomicCmpXchgInst>(instruction);
}

bool is_swap_of_integers(const Instruction &instruction) {
  const auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return swap && swap->getNewValOperand()->getType()->isIntegerTy();
}

/// What may open a lock: an exchange or a store of an integer that other threads see at once.
bool is_release(const Instruction &instruction) {
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getType()->isIntegerTy();
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return store && store->getValueOperand()->getType()->isIntegerTy() && (store->isAtomic() || store->isVolatile());
}

class Search {
public:
  Search(const Function &function, const ActivityAnalysis &activity)
      : function_(function), dominators_(const_cast<Function &>(function)) {
    for (const Instruction &instruction : instructions(function)) {
      if (holds_within(instruction, is_wide_fence))
        fences_.push_back(&instruction);
      if (holds_within(instruction, is_signal))
        signals_.push_back(&instruction);
      if (holds_within(instruction, is_swap_of_integers))
        swaps_.push_back(&instruction);
      if (holds_within(instruction, is_release))
        releases_.push_back(&instruction);
      if (const auto *load = dyn_cast<LoadInst>(&instruction); load && activity.carries_derivative(*load))
        add(reads_, *load, *load->getPointerOperand());
      if (const auto *store = dyn_cast<StoreInst>(&instruction);
          store && activity.carries_derivative(*store->getValueOperand()))
        add(writes_, *store, *store->getPointerOperand());
      if (const auto *store = dyn_cast<StoreInst>(&instruction); store && clears_adjoint(*store, activity))
        add(clears_, *store, *store->getPointerOperand());
      if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
          update && activity.carries_derivative(*update->getValOperand()))
        add(updates_, *update, *update->getPointerOperand());
    }
  }

  /// Memory that the kernel writes, at another place, or updates before the fence and the signal that stand before the
  /// read.
  const Instruction *read_of_other_block() const {
    for (const Place &read : reads_) {
      const auto is_written_elsewhere = [&](const Place &write) {
        return !is_same(*write.pointer, *read.pointer) && is_handed_over(write, read);
      };
      if (any_of(clears_, is_written_elsewhere) ||
          any_of(updates_, [&](const Place &update) { return is_handed_over(update, read); }))
        return read.access;
    }
    return nullptr;
  }

  /// A number that is changed where a swap has succeeded, before the lock is released.
  const Instruction *update_behind_lock() const {
    for (const Place &read : reads_)
      for (const Place &write : writes_)
        if (is_same(*read.pointer, *write.pointer) && isPotentiallyReachable(read.access, write.access) &&
            is_locked(*read.access->getParent()) && is_locked(*write.access->getParent()) &&
            any_of(releases_, [&](const Instruction *release) { return reaches(*write.access, *release); }))
          return read.access;
    return nullptr;
  }

private:
  /// Also where a constant is stored: the adjoint of later reads is cleared.
  static bool clears_adjoint(const StoreInst &store, const ActivityAnalysis &activity) {
    return store.getValueOperand()->getType()->isFPOrFPVectorTy() && activity.has_shadow(*store.getPointerOperand());
  }

  static void add(SmallVectorImpl<Place> &places, const Instruction &access, const Value &pointer) {
    const Value *object = getUnderlyingObject(&pointer);
    if (may_be_global(*object))
      places.push_back({&access, &pointer, object});
  }

  bool reaches(const Instruction &from, const Instruction &to) const {
    return isPotentiallyReachable(&from, &to, nullptr, &dominators_);
  }

  bool is_handed_over(const Place &write, const Place &read) const {
    return write.object == read.object && any_of(fences_, [&](const Instruction *fence) {
             return reaches(*write.access, *fence) && any_of(signals_, [&](const Instruction *signal) {
                      return reaches(*fence, *signal) && reaches(*signal, *read.access);
                    });
           });
  }

  bool depends_on_swap(const Value &condition, unsigned depth = 0) const {
    constexpr unsigned deepest = 6; // operations between a swap and the branch on its result
    const auto *instruction = dyn_cast<Instruction>(&condition);
    if (!instruction || depth > deepest)
      return false;
    return is_contained(swaps_, instruction) ||
           (isa<CmpInst, ExtractValueInst, CastInst, BinaryOperator, FreezeInst>(instruction) &&
            any_of(instruction->operands(), [&](const Use &use) { return depends_on_swap(*use, depth + 1); }));
  }

  /// Whether a way that the result of a swap opens leads here, and no other.
  bool is_locked(const BasicBlock &block) const {
    return any_of(function_, [&](const BasicBlock &decided) {
      const auto *branch = dyn_cast<BranchInst>(decided.getTerminator());
      return branch && branch->isConditional() && depends_on_swap(*branch->getCondition()) &&
             any_of(branch->successors(), [&](const BasicBlock *side) {
               return dominators_.dominates(BasicBlockEdge(&decided, side), &block);
             });
    });
  }

  const Function &function_;
  DominatorTree dominators_;
  SmallVector<const Instruction *, 4> fences_, signals_, swaps_, releases_;
  SmallVector<Place, 16> reads_, writes_, clears_, updates_;
};

} // namespace

Error check_order_of_blocks(const Function &prepared, const ActivityAnalysis &activity) {
  if (!is_device_code(*prepared.getParent()))
    return Error::success();
  const Search search(prepared, activity);
  if (const Instruction *read = search.read_of_other_block())
    return unsupported(
        *read,
        "a block reads behind a fence what other blocks of the launch have written: their reverse sweeps "
        "would have to wait for it",
        "split the kernel in two launches, or register a derivative for it");
  if (const Instruction *read = search.update_behind_lock())
    return unsupported(*read,
                       "active memory is changed behind a lock: the reverse sweep would have to take the lock in the "
                       "opposite order",
                       "add by atomicAdd, or register a derivative");
  return Error::success();
}

} // namespace assay::engine
