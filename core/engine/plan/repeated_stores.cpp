#include "core/engine/plan/repeated_stores.hpp"
#include "core/engine/plan/reload.hpp"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The loop is left behind its last statement, after a number of iterations that does not change in `outer`.
bool runs_alike(const Loop &loop, const Loop &outer, const ControlRecord &control) {
  const LoopRecord &record = control.loops.at(&loop);
  return record.count && record.only_exiting == loop.getLoopLatch() &&
         (&loop == &outer || outer.isLoopInvariant(record.count));
}

/// Every iteration of `outer` reaches the block as often: in each loop it either lies on every way through the loop's
/// body, or hangs on branches that do not change their mind in `outer`.
bool is_reached_alike(const BasicBlock &block, const Loop &outer, const LoopInfo &loops,
                      const DominatorTree &dominators) {
  const BasicBlock *reached = &block;
  for (const Loop *loop = loops.getLoopFor(&block);; loop = loop->getParentLoop()) {
    while (!dominators.dominates(reached, loop->getLoopLatch())) {
      const BasicBlock *before = dominators.getNode(reached)->getIDom()->getBlock();
      const auto *branch = dyn_cast<BranchInst>(before->getTerminator());
      if (!branch || loops.getLoopFor(before) != loop || !is_contained(branch->successors(), reached) ||
          !reached->getSinglePredecessor() ||
          (branch->isConditional() && !outer.isLoopInvariant(branch->getCondition())))
        return false;
      reached = before;
    }
    if (loop == &outer)
      return true;
    reached = loop->getLoopPreheader();
  }
}

/// The addresses do not depend on the iteration of `outer`, only on those of loops inside it.
bool is_independent_of(const SCEV *address, const Loop &outer) {
  return !SCEVExprContains(address, [&](const SCEV *part) {
    if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(part))
      return recurrence->getLoop() == &outer;
    const auto *unknown = dyn_cast<SCEVUnknown>(part);
    return isa<SCEVCouldNotCompute>(part) || (unknown && !outer.isLoopInvariant(unknown->getValue()));
  });
}

} // namespace

SmallVector<const Loop *, 2> repeating_loops(const Instruction &store, const ControlRecord &control,
                                             const LoopInfo &loops, const DominatorTree &dominators,
                                             ScalarEvolution &evolution) {
  SmallVector<const Loop *, 2> result;
  const SCEV *address = evolution.getSCEV(const_cast<Value *>(written_pointer(store)));
  const Loop *innermost = loops.getLoopFor(store.getParent());
  for (const Loop *outer = innermost; outer; outer = outer->getParentLoop()) {
    bool alike = is_independent_of(address, *outer) && is_reached_alike(*store.getParent(), *outer, loops, dominators);
    for (const Loop *loop = innermost; alike; loop = loop->getParentLoop()) {
      alike = runs_alike(*loop, *outer, control);
      if (loop == outer)
        break;
    }
    if (alike)
      result.push_back(outer);
  }
  return result;
}

} // namespace assay::engine
