#include "core/engine/tidy/kernel_barriers.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "core/engine/tidy/kernel_memory.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool may_wait_for_the_block(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->isConvergent())
    return false;
  const Function *callee = call->getCalledFunction();
  if (!callee)
    return true;
  return callee->isIntrinsic() ? callee->getName().contains(".barrier") || callee->getName().contains(".bar.sync")
                               : !callee->getName().starts_with("assay.");
}

/// Threads may pass on to others here what they have written.
bool may_communicate(const Instruction &instruction) {
  if (instruction.hasMetadata(own_wait))
    return false;
  if (synchronisation(instruction) != Synchronisation::none || may_wait_for_the_block(instruction))
    return true;
  return instruction.isAtomic() && !place_of_sums(instruction);
}

using Blocks = SmallPtrSet<const BasicBlock *, 16>;

/// Blocks that run after one of these instructions, its own if it may run again.
Blocks blocks_after(ArrayRef<const Instruction *> instructions) {
  SmallVector<const BasicBlock *, 16> open;
  Blocks result;
  for (const Instruction *instruction : instructions)
    append_range(open, successors(instruction->getParent()));
  while (!open.empty()) {
    const BasicBlock *block = open.pop_back_val();
    if (result.insert(block).second)
      append_range(open, successors(block));
  }
  return result;
}

SmallVector<const Instruction *, 8> those_after(Function &kernel, ArrayRef<const Instruction *> first,
                                                function_ref<bool(const Instruction &)> wanted) {
  const Blocks after = blocks_after(first);
  SmallVector<const Instruction *, 8> result;
  for (const Instruction &instruction : instructions(kernel))
    if (wanted(instruction) && (after.contains(instruction.getParent()) || any_of(first, [&](const Instruction *other) {
                                  return other->getParent() == instruction.getParent() &&
                                         other->comesBefore(&instruction);
                                })))
      result.push_back(&instruction);
  return result;
}

/// A clear of an adjoint that was read, or a call that may have one.
bool may_read_adjoints(const Instruction &instruction) {
  return writes_to_given_memory(instruction) || (may_hide_sums(instruction) && !place_of_sums(instruction));
}

} // namespace

bool has_divergent_barrier(Function &kernel, BlockUniformity &uniformity, const PostDominatorTree &post_dominators) {
  const auto waits = [](const BasicBlock &block) { return any_of(block, may_wait_for_the_block); };
  for (BasicBlock &block : kernel) {
    if (!uniformity.branches_by_thread(block))
      continue;
    const DomTreeNode *node = post_dominators.getNode(&block);
    const BasicBlock *end = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallVector<const BasicBlock *, 8> open(successors(&block));
    SmallPtrSet<const BasicBlock *, 16> seen;
    while (!open.empty()) {
      const BasicBlock *next = open.pop_back_val();
      if (next == end || next == &block || !seen.insert(next).second)
        continue;
      if (waits(*next))
        return true;
      append_range(open, successors(next));
    }
  }
  return false;
}

bool reads_adjoints_after_synchronisation(Function &kernel, ArrayRef<Instruction *> sums) {
  const SmallVector<const Instruction *, 8> first(sums.begin(), sums.end());
  const auto points = those_after(kernel, first, may_communicate);
  return !points.empty() && !those_after(kernel, points, may_read_adjoints).empty();
}

} // namespace assay::engine
