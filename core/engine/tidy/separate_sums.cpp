#include "core/engine/tidy/separate_sums.hpp"
#include "core/engine/tidy/repeated_work.hpp"
#include "core/engine/tidy/slice.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Instructions of a loop of one block that some values need, phis included.
Slice slice_of(ArrayRef<Instruction *> values, const BasicBlock &block) {
  return closed_slice(Slice(values.begin(), values.end()),
                      [&](const Instruction &instruction) { return instruction.getParent() == &block; });
}

bool takes_vectors(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  return !call || isTriviallyVectorizable(getVectorIntrinsicIDForCall(call, nullptr));
}

/// The sums of one loop, and whether they can be taken apart.
class Sums {
public:
  Sums(Loop &loop, ScalarEvolution &evolution) : loop_(loop), block_(*loop.getHeader()), evolution_(evolution) {
    for (PHINode &phi : block_.phis())
      if (phi.getType()->isFPOrFPVectorTy())
        (is_free(phi) ? free_ : ordered_).push_back(&phi);
  }

  bool should_be_separated() const {
    if (free_.empty() || ordered_.empty() || !only_reads() || is_short())
      return false;
    const Slice ordered = slice_of(next_values(ordered_), block_), free = slice_of(next_values(free_), block_),
                control = slice_of({block_.getTerminator()}, block_);
    const auto is_number = [](const Instruction *instruction) {
      return isa<PHINode>(instruction) && instruction->getType()->isFPOrFPVectorTy();
    };
    return none_of(ordered_, [&](PHINode *phi) { return free.contains(phi); }) &&
           none_of(free_, [&](PHINode *phi) { return ordered.contains(phi); }) && none_of(control, is_number) &&
           all_of(free, [&](const Instruction *instruction) {
             return takes_vectors(*instruction) && is_in_order(*instruction) &&
                    (!ordered.contains(const_cast<Instruction *>(instruction)) || is_cheap(*instruction));
           });
  }

  /// What the free sums have become after the loop.
  SmallVector<Instruction *, 8> results() const {
    SmallVector<Instruction *, 8> values = next_values(free_);
    append_range(values, free_);
    return values;
  }

private:
  static constexpr unsigned short_loop = 8; // iterations

  bool is_free(PHINode &phi) const {
    RecurrenceDescriptor sum;
    return phi.getType()->isFloatingPointTy() && RecurrenceDescriptor::isReductionPHI(&phi, &loop_, sum) &&
           sum.getRecurrenceKind() == RecurKind::FAdd && !sum.hasExactFPMath();
  }

  SmallVector<Instruction *, 8> next_values(ArrayRef<PHINode *> phis) const {
    SmallVector<Instruction *, 8> values;
    for (PHINode *phi : phis)
      if (auto *next = dyn_cast<Instruction>(phi->getIncomingValueForBlock(&block_)); next && loop_.contains(next))
        values.push_back(next);
    return values;
  }

  bool only_reads() const {
    return none_of(block_, [](const Instruction &instruction) {
      const auto *load = dyn_cast<LoadInst>(&instruction);
      return instruction.mayHaveSideEffects() || (load && !load->isSimple());
    });
  }

  bool is_short() const {
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop_);
    return most != 0 && most < short_loop;
  }

  /// Loads of one place, or of neighbours one after the other.
  bool is_in_order(const Instruction &instruction) const {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load)
      return true;
    const SCEV *address = evolution_.getSCEV(const_cast<Value *>(load->getPointerOperand()));
    if (evolution_.isLoopInvariant(address, &loop_))
      return true;
    const auto *moving = dyn_cast<SCEVAddRecExpr>(address);
    const auto *step =
        moving && moving->getLoop() == &loop_ ? dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_)) : nullptr;
    const TypeSize size = block_.getDataLayout().getTypeStoreSize(load->getType());
    return step && !size.isScalable() &&
           step->getAPInt().abs() == APInt(step->getAPInt().getBitWidth(), size.getFixedValue());
  }

  Loop &loop_;
  BasicBlock &block_;
  ScalarEvolution &evolution_;
  SmallVector<PHINode *, 8> free_, ordered_;
};

bool has_the_form(const Loop &loop) {
  return loop.getNumBlocks() == 1 && loop.isLoopSimplifyForm() && loop.getExitBlock() && loop.isSafeToClone();
}

/// A copy of the loop runs after it, and the results are the copy's.
void repeat(Loop &loop, ArrayRef<Instruction *> results, LoopInfo &loops, DominatorTree &dominators) {
  BasicBlock *block = loop.getHeader(), *exit = loop.getExitBlock();
  SplitEdge(loop.getLoopPreheader(), block, &dominators, &loops); // what is before the loop is not repeated
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 2> blocks;
  Loop *copy = cloneLoopWithPreheader(exit, block, &loop, copies, ".tangents", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  BasicBlock *entry = copy->getLoopPreheader(), *repeated = copy->getHeader();
  block->getTerminator()->replaceSuccessorWith(exit, entry);
  exit->replacePhiUsesWith(block, repeated);
  dominators.changeImmediateDominator(exit, repeated);
  for (Instruction *result : results)
    result->replaceUsesWithIf(copies[result], [&](const Use &use) {
      const auto *user = cast<Instruction>(use.getUser());
      return !loop.contains(user) && !copy->contains(user);
    });
}

} // namespace

PreservedAnalyses SeparateSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!has_the_form(*loop))
      continue;
    const Sums sums(*loop, evolution);
    if (!sums.should_be_separated())
      continue;
    repeat(*loop, sums.results(), loops, dominators);
    evolution.forgetLoop(loop);
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  analyses.invalidate(function, PreservedAnalyses::none());
  ADCEPass().run(function, analyses); // in each loop, the sums of the other
  return PreservedAnalyses::none();
}

} // namespace assay::engine
