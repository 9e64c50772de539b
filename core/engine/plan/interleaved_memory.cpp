#include "core/engine/plan/interleaved_memory.hpp"
#include "core/engine/analysis/pointer_escape.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {

bool is_sized_release(const CallBase &call, const FunctionInfo &function_info) {
  const MemoryCall memory = classify_memory_call(call, function_info);
  return memory.action == MemoryAction::release && !memory.size.empty();
}

namespace {

/// Pointers that may mean the same memory, and whether that can be interleaved.
class Finder {
public:
  Finder(Function &prepared, const FunctionInfo &function_info, const ActivityAnalysis &activity)
      : prepared_(prepared), function_info_(function_info), activity_(activity) {}

  DenseMap<const Value *, Type *> run() {
    for (Instruction &instruction : instructions(prepared_))
      if (is_fresh(instruction) && activity_.has_shadow(instruction)) {
        groups_.insert(&instruction);
        pending_.push_back(&instruction);
        seen_.insert(&instruction);
      }
    while (!pending_.empty()) {
      const Value *pointer = pending_.pop_back_val();
      for (const Use &use : pointer->uses())
        visit(*pointer, use);
    }
    reject_foreign_sources();
    return accepted();
  }

private:
  bool is_fresh(const Instruction &instruction) const {
    if (const auto *memory = dyn_cast<AllocaInst>(&instruction))
      return memory->isStaticAlloca();
    const auto *call = dyn_cast<CallInst>(&instruction);
    return call && is_plain_allocation(*call, function_info_);
  }

  void visit(const Value &pointer, const Use &use) {
    const auto *user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst, PHINode, SelectInst>(user) && user->getType()->isPointerTy()) {
      groups_.unionSets(&pointer, user);
      if (seen_.insert(user).second)
        pending_.push_back(user);
      return;
    }
    if (isa<LoadInst, StoreInst>(user) && use.getOperandNo() == (isa<LoadInst>(user) ? 0u : 1u))
      note_access(pointer, *user);
    else if (!is_harmless(*user, use))
      rejected_.push_back(&pointer);
  }

  void note_access(const Value &pointer, const Instruction &access) {
    Type *type = getLoadStoreType(&access);
    const bool is_number = type->isDoubleTy() || type->isFloatTy();
    if (is_number && !access.isVolatile() && !access.isAtomic() &&
        getLoadStoreAlignment(&access).value() * 8 >= type->getPrimitiveSizeInBits().getFixedValue())
      accesses_.emplace_back(&pointer, type);
    else
      rejected_.push_back(&pointer);
  }

  bool is_harmless(const Instruction &user, const Use &use) const {
    if (isa<CmpInst>(user))
      return true;
    if (const auto *address = dyn_cast<PtrToIntInst>(&user))
      return is_only_measured(*address);
    const auto *call = dyn_cast<CallBase>(&user);
    if (!call || !call->isArgOperand(&use))
      return call && use.getUser()->isDroppable();
    if (call->isLifetimeStartOrEnd() || is_plain_release(*call, function_info_))
      return true;
    const auto *move = dyn_cast<MemIntrinsic>(call);
    const auto *length = move ? dyn_cast<ConstantInt>(move->getLength()) : nullptr;
    return move && !move->isVolatile() && (!length || length->getZExtValue() % sizeof(double) == 0);
  }

  /// A phi or select may bring in memory that is not fresh.
  void reject_foreign_sources() {
    for (const Value *pointer : seen_) {
      const auto *merge = dyn_cast<Instruction>(pointer);
      if (!isa<PHINode, SelectInst>(merge))
        continue;
      for (const Value *operand : merge->operand_values())
        if (operand->getType()->isPointerTy() && !seen_.contains(operand) &&
            !isa<ConstantPointerNull, UndefValue>(getUnderlyingObject(operand)))
          rejected_.push_back(pointer);
    }
  }

  DenseMap<const Value *, Type *> accepted() {
    DenseMap<const Value *, Type *> number_of; // by leader; null for what cannot be
    for (const auto &[pointer, type] : accesses_) {
      auto [known, fresh] = number_of.try_emplace(groups_.getLeaderValue(pointer), type);
      if (!fresh && known->second != type)
        known->second = nullptr;
    }
    for (const Value *pointer : rejected_)
      number_of[groups_.getLeaderValue(pointer)] = nullptr;
    DenseMap<const Value *, Type *> result;
    for (const Value *pointer : seen_)
      if (Type *type = number_of.lookup(groups_.getLeaderValue(pointer)))
        result[pointer] = type;
    return result;
  }

  Function &prepared_;
  const FunctionInfo &function_info_;
  const ActivityAnalysis &activity_;
  EquivalenceClasses<const Value *> groups_;
  SmallPtrSet<const Value *, 32> seen_;
  SmallVector<const Value *, 16> pending_, rejected_;
  SmallVector<std::pair<const Value *, Type *>, 32> accesses_;
};

} // namespace

InterleavedMemory::InterleavedMemory(Function &prepared, const FunctionInfo &function_info,
                                     const ActivityAnalysis &activity)
    : numbers_(Finder(prepared, function_info, activity).run()) {}

} // namespace assay::engine
