#include "core/engine/emit/adjoint_slots.hpp"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Null when nothing but the store itself uses the slot.
BasicBlock *common_dominator(const StoreInst &zero, const DominatorTree &dominators) {
  BasicBlock *common = nullptr;
  for (const User *user : zero.getPointerOperand()->users()) {
    auto *block = const_cast<BasicBlock *>(cast<Instruction>(user)->getParent());
    if (user == &zero || !dominators.isReachableFromEntry(block))
      continue;
    common = common ? dominators.findNearestCommonDominator(common, block) : block;
  }
  return common;
}

/// Cycles with several entries count: the reverse of a loop with several exits is one.
BasicBlock *outside_of_cycles(BasicBlock *block, const DominatorTree &dominators, const CycleInfo &cycles) {
  while (cycles.getCycle(block))
    block = dominators.getNode(block)->getIDom()->getBlock();
  return block;
}

} // namespace

void zero_late(Function &reverse, ArrayRef<StoreInst *> zeros) {
  if (zeros.empty())
    return;
  const DominatorTree dominators(reverse);
  CycleInfo cycles;
  cycles.compute(reverse);
  for (StoreInst *zero : zeros) {
    BasicBlock *common = common_dominator(*zero, dominators);
    if (!common)
      continue;
    BasicBlock *block = outside_of_cycles(common, dominators, cycles);
    if (block != zero->getParent() && dominators.dominates(zero->getParent(), block))
      zero->moveBefore(*block, block->getFirstInsertionPt());
  }
}

} // namespace assay::engine
