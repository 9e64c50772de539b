#include "core/engine/prepare/computed_goto.hpp"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Labels = SmallVector<std::pair<BasicBlock *, BasicBlock *>, 8>; // of the source, of the clone

/// The labels that `jump` may reach, each once; it lists them only once afterwards.
Labels take_labels(IndirectBrInst &jump, const DenseMap<BasicBlock *, BasicBlock *> &sources) {
  Labels labels;
  SmallPtrSet<BasicBlock *, 8> seen;
  for (unsigned index = 0; index < jump.getNumDestinations();) {
    BasicBlock *label = jump.getDestination(index);
    if (seen.insert(label).second) {
      labels.emplace_back(sources.lookup(label), label);
      ++index;
    } else {
      label->removePredecessor(jump.getParent(), /*KeepOneInputPHIs=*/true);
      jump.removeDestination(index);
    }
  }
  return labels;
}

/// One comparison after the other; the last label needs none, for another address would be undefined.
void choose_label(IndirectBrInst &jump, const Labels &labels) {
  BasicBlock *from = jump.getParent();
  Value *address = jump.getAddress();
  BasicBlock *block = from;
  IRBuilder<> builder(&jump);
  for (auto [source, label] : ArrayRef(labels).drop_back()) {
    auto *next = BasicBlock::Create(jump.getContext(), "label", from->getParent(), block->getNextNode());
    builder.CreateCondBr(builder.CreateICmpEQ(address, BlockAddress::get(source)), label, next);
    label->replacePhiUsesWith(from, block);
    builder.SetInsertPoint(block = next);
  }
  builder.CreateBr(labels.back().second);
  labels.back().second->replacePhiUsesWith(from, block);
  jump.eraseFromParent();
}

} // namespace

void expand_computed_gotos(Function &function, Function &source, const ValueToValueMapTy *map) {
  SmallVector<IndirectBrInst *, 4> jumps;
  for (BasicBlock &block : function)
    if (auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator()); jump && jump->getNumDestinations() > 0)
      jumps.push_back(jump);
  if (jumps.empty())
    return;
  DenseMap<BasicBlock *, BasicBlock *> sources;
  for (BasicBlock &block : source)
    if (auto *copy = map ? dyn_cast_or_null<BasicBlock>(map->lookup(&block)) : &block)
      sources[copy] = &block;
  for (auto [copy, block] : sources) // addresses that the code itself takes: there is one for each label
    if (copy != block && copy->hasAddressTaken())
      BlockAddress::get(copy)->replaceAllUsesWith(BlockAddress::get(block));
  appendToCompilerUsed(*source.getParent(), {&source}); // else its labels would go with it when nothing calls it
  for (IndirectBrInst *jump : jumps)
    choose_label(*jump, take_labels(*jump, sources));
}

} // namespace assay::engine
