#include "core/engine/tidy/overlap_loop_versioning.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Conditions = SmallSetVector<Value *, 4>;

bool does_rare_work(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->hasFnAttribute(rare_attribute);
  });
}

/// What the nest asks before rare work, and does not change.
Conditions rare_conditions(const Loop &nest) {
  Conditions conditions;
  for (BasicBlock *block : nest.blocks()) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch && branch->isConditional() && !isa<Constant>(branch->getCondition()) &&
        nest.isLoopInvariant(branch->getCondition()) && does_rare_work(*branch->getSuccessor(0)))
      conditions.insert(branch->getCondition());
  }
  return conditions;
}

bool nest_may_be_copied(const Loop &nest) {
  constexpr std::size_t most = 20000; // instructions
  std::size_t size = 0;
  for (const BasicBlock *block : nest.blocks())
    size += block->size();
  return size <= most && nest.isLoopSimplifyForm() && nest.isSafeToClone();
}

/// The copies of the nest's blocks lead to the same exits.
void join_exits(const Loop &nest, ValueToValueMapTy &copies) {
  SmallVector<BasicBlock *, 4> exits;
  nest.getUniqueExitBlocks(exits);
  for (BasicBlock *exit : exits)
    for (PHINode &phi : exit->phis())
      for (unsigned index = 0, count = phi.getNumIncomingValues(); index < count; ++index) {
        auto *from = dyn_cast_or_null<BasicBlock>(copies.lookup(phi.getIncomingBlock(index)));
        if (!from)
          continue;
        Value *value = phi.getIncomingValue(index), *copy = copies.lookup(value);
        phi.addIncoming(copy ? copy : value, from);
      }
}

/// It runs rarely: the time to make it fast would be lost.
void leave_as_it_is(Loop &loop) {
  addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable");
  for (Loop *inner : loop)
    leave_as_it_is(*inner);
}

class Separation {
public:
  Separation(Function &function, LoopInfo &loops, DominatorTree &dominators)
      : function_(function), loops_(loops), dominators_(dominators) {}

  void separate(Loop &nest, const Conditions &conditions) {
    BasicBlock *before = nest.getLoopPreheader();
    BasicBlock *entry = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    ValueToValueMapTy copies;
    SmallVector<BasicBlock *, 8> blocks;
    Loop *copy = cloneLoopWithPreheader(entry, before, &nest, copies, ".rare", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, copies);
    join_exits(nest, copies);
    leave_as_it_is(*copy);

    IRBuilder<> builder(before->getTerminator());
    Value *any = builder.CreateOr(conditions.getArrayRef());
    builder.CreateCondBr(any, copy->getLoopPreheader(), entry,
                         MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
    before->getTerminator()->eraseFromParent();
    for (Value *condition : conditions)
      condition->replaceUsesWithIf(ConstantInt::getFalse(function_.getContext()), [&](const Use &use) {
        const auto *user = dyn_cast<Instruction>(use.getUser());
        return user && nest.contains(user);
      });
    dominators_.recalculate(function_);
  }

private:
  Function &function_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
};

} // namespace

PreservedAnalyses OverlapLoopVersioningPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!function.hasFnAttribute(overlap_loop_versioning_attribute))
    return PreservedAnalyses::all();
  FunctionPassManager form;
  form.addPass(LoopSimplifyPass());
  form.addPass(LCSSAPass());
  form.run(function, analyses);
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  Separation separation(function, loops, analyses.getResult<DominatorTreeAnalysis>(function));
  for (Loop *nest : SmallVector<Loop *, 8>(loops.begin(), loops.end()))
    if (const Conditions conditions = rare_conditions(*nest); !conditions.empty() && nest_may_be_copied(*nest))
      separation.separate(*nest, conditions);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
