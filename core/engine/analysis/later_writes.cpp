// Which memory behind an argument of a call may change after it: each instruction that can run later and may write is
// asked for the memory classes that it writes.

#include "core/engine/analysis/activity_implementation.hpp"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::engine {
namespace {

/// Instructions that may run after `start`: those behind it in its block, and all of the blocks that follow; of its own
/// block, too, where that is part of a loop.
template <class Visit>
bool any_later(const llvm::Instruction &start, Visit visit) {
  for (const llvm::Instruction *next = start.getNextNode(); next != nullptr; next = next->getNextNode())
    if (visit(*next))
      return true;
  llvm::SmallVector<const llvm::BasicBlock *, 16> pending(llvm::successors(start.getParent()));
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    const llvm::BasicBlock *block = pending.pop_back_val();
    for (const llvm::Instruction &instruction : *block)
      if (visit(instruction))
        return true;
    for (const llvm::BasicBlock *next : llvm::successors(block))
      if (seen.insert(next).second)
        pending.push_back(next);
  }
  return false;
}

/// The values through which an instruction writes.
llvm::SmallVector<const llvm::Value *, 4> written_through(const llvm::Instruction &instruction) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {store->getPointerOperand()};
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {update->getPointerOperand()};
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {exchange->getPointerOperand()};
  if (const auto *transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    return {transfer->getRawDest()};
  llvm::SmallVector<const llvm::Value *, 4> through;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr ||
      (llvm::isa<llvm::IntrinsicInst>(call) && llvm::cast<llvm::IntrinsicInst>(call)->isAssumeLikeIntrinsic()))
    return through;
  for (const llvm::Use &argument : call->args())
    if (argument->getType()->isPointerTy() && !call->onlyReadsMemory(call->getArgOperandNo(&argument)))
      through.push_back(argument.get());
  return through;
}

} // namespace

bool ActivityAnalysis::may_change_after(const llvm::CallBase &call, unsigned argument) const {
  const DerivativeFlow &flow = implementation_->flow;
  llvm::DenseSet<NodeId> behind;
  behind.insert_range(flow.reachable_nodes(*call.getArgOperand(argument), root_frame));
  if (behind.empty())
    return call.getArgOperand(argument)->getType()->isPointerTy();
  return any_later(call, [&](const llvm::Instruction &later) {
    if (!later.mayWriteToMemory())
      return false;
    const bool is_call = llvm::isa<llvm::CallBase>(later) && !llvm::isa<llvm::MemIntrinsic>(later);
    return llvm::any_of(written_through(later), [&](const llvm::Value *pointer) {
      if (is_call)
        return llvm::any_of(flow.reachable_nodes(*pointer, root_frame),
                            [&](NodeId node) { return behind.contains(node); });
      const auto at = implementation_->memory.location(*pointer, root_frame);
      return !at || behind.contains(implementation_->memory.graph().find(at->node));
    });
  });
}

} // namespace assay::engine
