#include "core/engine/plan/tape_reservation.hpp"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool knows_counts(const Loop &outer, const Loop &inner, const ControlRecord &control) {
  if (!control.loops.at(&outer).count)
    return false;
  for (const Loop *between = &inner; between != &outer; between = between->getParentLoop()) {
    Value *count = control.loops.at(between).count;
    if (!count || !outer.isLoopInvariant(count))
      return false;
  }
  return true;
}

/// Whatever comes after a loop inside `outer` is reached once that is left.
bool is_in_finished_loop(const BasicBlock &block, const BasicBlock &target, const Loop &outer) {
  for (const Loop *inner : outer)
    if (inner->contains(&block))
      return !inner->contains(&target) || is_in_finished_loop(block, target, *inner);
  return false;
}

/// The branches inside `outer` that decide whether `target` runs, where all of them are known before `outer` starts.
std::optional<SmallVector<Guard, 4>> guards_of(const BasicBlock &target, const Loop &outer,
                                               const DominatorTree &dominators) {
  SmallVector<Guard, 4> guards;
  for (const DomTreeNode *node = dominators.getNode(&target)->getIDom(); node && outer.contains(node->getBlock());
       node = node->getIDom()) {
    const Instruction *terminator = node->getBlock()->getTerminator();
    if (terminator->getNumSuccessors() < 2 || is_in_finished_loop(*node->getBlock(), target, outer))
      continue;
    const auto *branch = dyn_cast<BranchInst>(terminator);
    if (!branch)
      return std::nullopt;
    const auto leads = [&](unsigned side) {
      return dominators.dominates(BasicBlockEdge(branch->getParent(), branch->getSuccessor(side)), &target);
    };
    const bool first = leads(0), second = leads(1);
    if (!first && !second)
      continue; // both ways lead there
    if (!outer.isLoopInvariant(branch->getCondition()))
      return std::nullopt;
    guards.push_back({branch->getCondition(), first});
  }
  return guards;
}

} // namespace

Reservation find_reservation(const Loop &loop, const ControlRecord &control, const DominatorTree &dominators) {
  Reservation result{&loop, {}};
  for (const Loop *outer = loop.getParentLoop(); outer && knows_counts(*outer, loop, control);
       outer = outer->getParentLoop()) {
    std::optional<SmallVector<Guard, 4>> guards = guards_of(*loop.getLoopPreheader(), *outer, dominators);
    if (!guards)
      break;
    result = {outer, std::move(*guards)};
  }
  return result;
}

} // namespace assay::engine
