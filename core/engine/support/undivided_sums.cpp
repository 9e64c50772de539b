#include "core/engine/support/undivided_sums.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// No thread of the program has this scope, so that no order comes of it; derivatives keep it.
SyncScope::ID scope_of_sums(LLVMContext &context) {
  return context.getOrInsertSyncScopeID("assay.undivided");
}

AtomicRMWInst *undivided(IRBuilderBase &builder, AtomicRMWInst::BinOp operation, Value *place, Value *value,
                         Align alignment) {
  return builder.CreateAtomicRMW(operation, place, value, alignment, AtomicOrdering::Monotonic,
                                 scope_of_sums(builder.getContext()));
}

bool asks_for_dense_pointer(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
    return callee && convention_call(*callee) == ConventionCall::todense;
  });
}

/// Functions that a function calls or names.
void collect_named(Function &function, SmallSetVector<Function *, 8> &named) {
  for (Instruction &instruction : instructions(function))
    for (Value *operand : instruction.operands())
      if (auto *other = dyn_cast<Function>(operand->stripPointerCasts()); other && !other->isDeclaration())
        named.insert(other);
}

/// `store (load p) + v, p` with nothing between that writes.
void join_sum(StoreInst &store) {
  auto *sum = dyn_cast<BinaryOperator>(store.getValueOperand());
  if (!store.isSimple() || !sum || !sum->hasOneUse() || !has_undivided_sum(*sum->getType()))
    return;
  const bool adds = sum->getOpcode() == Instruction::FAdd;
  if (!adds && sum->getOpcode() != Instruction::FSub)
    return;
  const auto is_old = [&](Value *operand) {
    auto *load = dyn_cast<LoadInst>(operand);
    return load && load->isSimple() && load->hasOneUse() && load->getParent() == store.getParent() &&
           load->getPointerOperand() == store.getPointerOperand() &&
           none_of(make_range(load->getIterator(), store.getIterator()),
                   [](const Instruction &between) { return between.mayWriteToMemory(); });
  };
  const unsigned old = is_old(sum->getOperand(0)) ? 0 : 1;
  if (!is_old(sum->getOperand(old)) || (old == 1 && !adds) ||
      isa<AllocaInst>(getUnderlyingObject(store.getPointerOperand())))
    return;
  IRBuilder<> builder(&store);
  auto *load = cast<LoadInst>(sum->getOperand(old));
  undivided(builder, adds ? AtomicRMWInst::FAdd : AtomicRMWInst::FSub, store.getPointerOperand(),
            sum->getOperand(1 - old), store.getAlign());
  store.eraseFromParent();
  sum->eraseFromParent();
  load->eraseFromParent();
}

} // namespace

bool has_undivided_sum(const Type &type) {
  return type.isFloatTy() || type.isDoubleTy() || type.isHalfTy() || type.isBFloatTy();
}

Instruction *add_undivided(IRBuilderBase &builder, Value *place, Value *value) {
  return undivided(builder, AtomicRMWInst::FAdd, place, value, Align(1));
}

void join_sums(Module &module) {
  SmallSetVector<Function *, 8> reached;
  for (Function &function : module)
    if (asks_for_dense_pointer(function))
      collect_named(function, reached);
  for (unsigned next = 0; next < reached.size(); ++next)
    collect_named(*reached[next], reached);
  for (Function *function : reached) {
    function->addFnAttr(undivided_sums_attribute);
    for (Instruction &instruction : make_early_inc_range(instructions(*function)))
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        join_sum(*store);
  }
}

void divide_sums(Module &module) {
  const SyncScope::ID scope = scope_of_sums(module.getContext());
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *sum = dyn_cast<AtomicRMWInst>(&instruction); sum && sum->getSyncScopeID() == scope)
        lowerAtomicRMWInst(sum);
}

} // namespace assay::engine
