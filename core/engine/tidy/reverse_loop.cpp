#include "core/engine/tidy/reverse_loop.hpp"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_number(const Value &value) {
  return value.getType()->isFPOrFPVectorTy();
}

const SCEVAddRecExpr *counter(PHINode &phi, const Loop &loop, ScalarEvolution &evolution) {
  const auto *count = evolution.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
  return count && count->getLoop() == &loop && count->isAffine() ? count : nullptr;
}

/// Counts from the value of the last iteration back to that of the first.
void count_back(PHINode &phi, const SCEVAddRecExpr &count, const SCEV &iterations, Loop &loop,
                ScalarEvolution &evolution) {
  SCEVExpander expander(evolution, "reversed");
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  const SCEV *step = evolution.getNegativeSCEV(count.getStepRecurrence(evolution));
  Value *last = expander.expandCodeFor(count.evaluateAtIteration(&iterations, evolution), phi.getType(), before);
  Value *back = expander.expandCodeFor(step, step->getType(), before);
  IRBuilder<> builder(loop.getHeader()->getTerminator());
  const auto *next = dyn_cast<OverflowingBinaryOperator>(phi.getIncomingValueForBlock(loop.getHeader()));
  Value *previous = phi.getType()->isPointerTy() ? builder.CreatePtrAdd(&phi, back)
                                                 : builder.CreateAdd(&phi, back, "", /*HasNUW=*/false,
                                                                     /*HasNSW=*/next && next->hasNoSignedWrap());
  phi.setIncomingValueForBlock(loop.getLoopPreheader(), last);
  phi.setIncomingValueForBlock(loop.getHeader(), previous);
}

} // namespace

bool can_be_reversed(Loop &loop, ScalarEvolution &evolution) {
  const BasicBlock &block = *loop.getHeader();
  if (isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return false;
  const bool leaves_sums_alone = all_of(loop.getExitBlock()->phis(), [&](const PHINode &phi) {
    const auto *inside = dyn_cast<Instruction>(phi.getIncomingValueForBlock(&block));
    return !inside || !loop.contains(inside) || is_number(*inside);
  });
  return leaves_sums_alone && all_of(loop.getHeader()->phis(), [&](PHINode &phi) {
           RecurrenceDescriptor sum;
           return is_number(phi) ? RecurrenceDescriptor::isReductionPHI(&phi, &loop, sum) && !sum.hasExactFPMath()
                                 : counter(phi, loop, evolution) != nullptr;
         });
}

void reverse(Loop &loop, ScalarEvolution &evolution) {
  BasicBlock &block = *loop.getHeader();
  const SCEV *iterations = evolution.getBackedgeTakenCount(&loop);
  SCEVExpander expander(evolution, "reversed");
  Value *last = expander.expandCodeFor(iterations, iterations->getType(), loop.getLoopPreheader()->getTerminator());
  SmallVector<WeakTrackingVH, 8> dead;
  SmallVector<std::pair<PHINode *, const SCEVAddRecExpr *>, 4> counters;
  for (PHINode &phi : block.phis())
    if (!is_number(phi))
      counters.emplace_back(&phi, counter(phi, loop, evolution));
  for (const auto &[phi, count] : counters) {
    dead.emplace_back(phi->getIncomingValueForBlock(&block));
    count_back(*phi, *count, *iterations, loop, evolution);
  }

  IRBuilder<> builder(&block, block.begin());
  PHINode *index = builder.CreatePHI(iterations->getType(), 2, "reversed");
  auto *branch = cast<BranchInst>(block.getTerminator());
  builder.SetInsertPoint(branch);
  index->addIncoming(ConstantInt::get(iterations->getType(), 0), loop.getLoopPreheader());
  index->addIncoming(builder.CreateAdd(index, ConstantInt::get(iterations->getType(), 1), "", /*HasNUW=*/true), &block);
  const bool goes_on_if_true = branch->getSuccessor(0) == &block;
  dead.emplace_back(branch->getCondition());
  branch->setCondition(goes_on_if_true ? builder.CreateICmpNE(index, last) : builder.CreateICmpEQ(index, last));
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  evolution.forgetLoop(&loop);
}

} // namespace assay::engine
