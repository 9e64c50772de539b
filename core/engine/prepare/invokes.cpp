#include "core/engine/prepare/invokes.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

void simplify_invokes(Function &clone, const FunctionInfo &function_info) {
  bool changed = false;
  for (BasicBlock &block : make_early_inc_range(clone)) {
    auto *invoke = dyn_cast<InvokeInst>(block.getTerminator());
    if (!invoke)
      continue;
    const MemoryAction action = classify_memory_call(*invoke, function_info).action;
    if (action == MemoryAction::allocate || action == MemoryAction::allocate_zeroed ||
        action == MemoryAction::release) {
      changeToCall(invoke);
      changed = true;
    } else if (!invoke->getNormalDest()->getSinglePredecessor()) {
      SplitEdge(&block, invoke->getNormalDest());
    }
  }
  // Handlers that nothing leads to any more have no derivatives, which phi nodes behind them would ask for.
  if (changed)
    removeUnreachableBlocks(clone);
}

} // namespace assay::engine
