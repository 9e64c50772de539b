#include "core/engine/plan/accumulation.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Each execution of the loop runs the load.
bool runs_in(const LoadInst &load, const Loop &loop, const DominatorTree &dominators) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](const BasicBlock *block) { return dominators.dominates(load.getParent(), block); });
}

std::optional<Accumulation> in_loop(const LoadInst &load, const Loop &loop, const AccumulationInput &input) {
  Accumulation result{&loop};
  for (const Instruction *writer : input.reloads.writers_in(load, loop)) {
    const std::optional<unsigned> overlap = overlap_of(*writer, load, input.restored);
    if (!overlap)
      return std::nullopt;
    if (!is_contained(result.unless, *overlap))
      result.unless.push_back(*overlap);
  }
  return result;
}

std::optional<Accumulation> find_accumulation(const LoadInst &load, const AccumulationInput &input) {
  std::optional<Accumulation> result;
  if (!load.getType()->isFloatingPointTy())
    return result;
  for (const Loop *loop = input.loops.getLoopFor(load.getParent()); loop; loop = loop->getParentLoop()) {
    if (!loop->isLoopInvariant(load.getPointerOperand()) || !input.control.loops.at(loop).only_exit ||
        !runs_in(load, *loop, input.dominators))
      break;
    std::optional<Accumulation> wider = in_loop(load, *loop, input);
    if (!wider)
      break;
    result = std::move(wider);
  }
  return result;
}

} // namespace

Accumulations find_accumulations(const AccumulationInput &input) {
  Accumulations result;
  for (const Instruction &instruction : instructions(input.sweep)) {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !input.has_adjoint(*load) || !input.control.live.contains(load->getParent()))
      continue;
    if (auto found = find_accumulation(*load, input))
      result[load] = std::move(*found);
  }
  return result;
}

} // namespace assay::engine
