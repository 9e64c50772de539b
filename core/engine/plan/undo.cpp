#include "core/engine/plan/undo.hpp"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace assay::engine {

const UndoOrder::Blocks &UndoOrder::reachable(const BasicBlock &start, const BasicBlock &barrier) {
  auto [found, fresh] = reachable_.try_emplace({&start, &barrier});
  if (!fresh)
    return found->second;
  Blocks blocks;
  SmallVector<const BasicBlock *, 8> pending{&start};
  while (!pending.empty())
    for (const BasicBlock *next : successors(pending.pop_back_val()))
      if (next != &barrier && blocks.insert(next).second)
        pending.push_back(next);
  return reachable_[{&start, &barrier}] = std::move(blocks);
}

bool UndoOrder::comes_between(const LoadInst &load, const Instruction &store, const Instruction &place) {
  const BasicBlock &home = *load.getParent(), &block = *store.getParent();
  const bool runs_after = &block == &home ? load.comesBefore(&store) : reachable(home, home).contains(&block);
  if (!runs_after)
    return false;
  if (place.getParent() == &block && store.comesBefore(&place))
    return true;
  return reachable(block, home).contains(place.getParent());
}

} // namespace assay::engine
