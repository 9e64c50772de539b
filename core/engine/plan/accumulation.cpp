#include "core/engine/plan/accumulation.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// Each execution of the loop runs the load.
bool runs_in(const LoadInst &load, const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](const BasicBlock *block) { return dominators.dominates(load.getParent(), block); });
}

/// The conditions under which `writer` may write what `load` reads; nothing when that is not known.
Value *overlap_of(const Instruction &writer, const LoadInst &load, const Plan &plan) {
  for (const UndoneStore &undone : plan.undone)
    if (undone.store == &writer && undone.only_if && is_contained(undone.checked, &load))
      return undone.only_if;
  return nullptr;
}

std::optional<Accumulation> in_loop(const LoadInst &load, const Loop &loop, const Plan &plan, ReloadAnalysis &reloads) {
  Accumulation result{&loop};
  for (const Instruction *writer : reloads.writers_in(load, loop)) {
    Value *overlap = overlap_of(*writer, load, plan);
    if (!overlap)
      return std::nullopt;
    if (!is_contained(result.unless, overlap))
      result.unless.push_back(overlap);
  }
  return result;
}

} // namespace

std::optional<Accumulation> find_accumulation(const LoadInst &load, const Plan &plan, const ControlRecord &control,
                                              const LoopInfo &loops, const DominatorTree &dominators,
                                              ReloadAnalysis &reloads) {
  std::optional<Accumulation> result;
  if (!load.getType()->isFloatingPointTy())
    return result;
  for (const Loop *loop = loops.getLoopFor(load.getParent()); loop; loop = loop->getParentLoop()) {
    if (!loop->isLoopInvariant(load.getPointerOperand()) || !control.loops.at(loop).only_exit ||
        !runs_in(load, *loop, dominators))
      break;
    std::optional<Accumulation> wider = in_loop(load, *loop, plan, reloads);
    if (!wider)
      break;
    result = std::move(wider);
  }
  return result;
}

} // namespace assay::engine
