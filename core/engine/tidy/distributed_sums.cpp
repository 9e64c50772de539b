#include "core/engine/tidy/distributed_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/distribute_loop.hpp"
#include "core/engine/tidy/nest_copies.hpp"
#include "core/engine/tidy/reverse_loop.hpp"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Numbers that the next iteration takes over.
class Recurrences {
public:
  Recurrences(Loop &loop, ArrayRef<MemorySum> sums) : loop_(loop) {
    for (const MemorySum &sum : sums)
      in_sums_.insert_range(sum.operations);
    for (PHINode &phi : loop.getHeader()->phis())
      if (phi.getType()->isFPOrFPVectorTy() && !is_sum(phi))
        others_.push_back(&phi);
  }

  bool are_sums() const { return others_.empty(); }

  /// Sums, or numbers that go no further than to the sums in memory, which are written behind all that they wait for.
  bool take_vectors() const {
    return all_of(others_, [&](const PHINode *phi) {
      const auto *next = dyn_cast<Instruction>(phi->getIncomingValueForBlock(loop_.getHeader()));
      return next && loop_.contains(next) && !isa<PHINode>(next) && may_come_behind(*phi, *next);
    });
  }

private:
  bool is_sum(PHINode &phi) const {
    RecurrenceDescriptor sum;
    return RecurrenceDescriptor::isReductionPHI(&phi, &loop_, sum) && !sum.hasExactFPMath();
  }

  bool may_come_behind(const Instruction &value, const Instruction &next) const {
    return all_of(value.users(), [&](const User *user) {
      const auto *instruction = cast<Instruction>(user);
      if (!loop_.contains(instruction) || in_sums_.contains(instruction))
        return true;
      if (isa<PHINode>(instruction) || instruction == &next)
        return false;
      return next.comesBefore(instruction) ||
             (!instruction->mayReadOrWriteMemory() && !instruction->mayHaveSideEffects() &&
              may_come_behind(*instruction, next));
    });
  }

  Loop &loop_;
  SmallPtrSet<const Instruction *, 16> in_sums_;
  SmallVector<const PHINode *, 4> others_;
};

bool takes_vector(const Instruction &instruction) {
  const auto *call = dyn_cast<CallInst>(&instruction);
  return !call || isTriviallyVectorizable(getVectorIntrinsicIDForCall(call, nullptr));
}

/// The loops of a function, in which one is rewritten after another.
class DistributedSums {
public:
  DistributedSums(Function &function, FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        target_(analyses.getResult<TargetIRAnalysis>(function)), aliases_(analyses.getResult<AAManager>(function)) {}

  bool run() {
    SmallVector<BasicBlock *, 8> bodies;
    for (const Loop *loop : loops_.getLoopsInPreorder())
      if (is_candidate(*loop))
        bodies.push_back(loop->getHeader());
    bool changed = false;
    for (BasicBlock *body : bodies)
      changed |= run_on(*loops_.getLoopFor(body));
    return changed;
  }

private:
  bool is_candidate(const Loop &loop) const {
    if (loop.getNumBlocks() != 1 || !is_marked(loop) || !loop.isLoopSimplifyForm() || !loop.getExitBlock() ||
        !loop.isSafeToClone())
      return false;
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop);
    return most == 0 || most >= fewest_iterations;
  }

  bool run_on(Loop &loop) {
    Function &function = *loop.getHeader()->getParent();
    SmallVector<MemorySum, 8> sums = sums_of(loop);
    if (!are_worth_it(loop, sums))
      return false;
    NestMemory memory(loop, evolution_, aliases_, accesses_of(sums));
    if (!memory.allows(iterations_of_block))
      return false;
    Value *condition = write_condition(memory, loop);
    if (!separate(loop, memory, *condition, loops_, dominators_))
      return false;
    if (none_of(sums, [](const MemorySum &sum) { return sum.is_upward; }) && can_be_reversed(loop, evolution_)) {
      reverse(loop, evolution_); // Vectors need not be turned around then.
      sums = sums_of(loop);
    }
    distribute(loop, sums, evolution_);
    dominators_.recalculate(function);
    loops_.releaseMemory();
    loops_.analyze(dominators_);
    evolution_.forgetAllLoops();
    return true;
  }

  /// Each iteration adds where the next one does, and all the rest takes vectors. Vectors of two numbers make up for
  /// the buffers where several sums share them and no number is handed on.
  bool are_worth_it(Loop &loop, ArrayRef<MemorySum> sums) {
    constexpr std::size_t most_sums = 24, most_buffers = 6, several = 4;
    const auto waits = [](const NearSums &group) { return group.span() > 0; };
    if (sums.size() > most_sums || count_buffers(sums) > most_buffers || none_of(near_sums(sums, evolution_), waits) ||
        !all_of(*loop.getHeader(), takes_vector))
      return false;
    const Recurrences recurrences(loop, sums);
    return recurrences.take_vectors() &&
           (has_wide_vectors(*sums.front().load->getType()) || (recurrences.are_sums() && sums.size() >= several));
  }

  bool has_wide_vectors(Type &number) const {
    const TypeSize bits = target_.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
    return bits.getFixedValue() >= 4 * number.getPrimitiveSizeInBits().getFixedValue();
  }

  static SmallPtrSet<const Instruction *, 16> accesses_of(ArrayRef<MemorySum> sums) {
    SmallPtrSet<const Instruction *, 16> accesses;
    for (const MemorySum &sum : sums) {
      accesses.insert(sum.load);
      accesses.insert(sum.store);
    }
    return accesses;
  }

  SmallVector<MemorySum, 8> sums_of(const Loop &loop) {
    SmallVector<MemorySum, 8> sums;
    for (Instruction &instruction : *loop.getHeader())
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        if (std::optional<MemorySum> sum = memory_sum(*store, loop, evolution_, aliases_);
            sum && is_known_before(sum->address->getStart(), loop, evolution_))
          sums.push_back(std::move(*sum));
    return sums;
  }

  Value *write_condition(NestMemory &memory, const Loop &loop) {
    Instruction &before = *loop.getLoopPreheader()->getTerminator();
    Value *are_apart = memory.write_conditions(iterations_of_block, before);
    const SCEV *count = evolution_.getBackedgeTakenCount(&loop);
    Value *iterations = SCEVExpander(evolution_, "sums").expandCodeFor(count, count->getType(), &before);
    IRBuilder<> builder(&before);
    Value *are_many = builder.CreateICmpUGE(iterations, ConstantInt::get(count->getType(), fewest_iterations - 1));
    return builder.CreateAnd(are_many, are_apart);
  }

  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  const TargetTransformInfo &target_;
  AAResults &aliases_;
};

} // namespace

PreservedAnalyses DistributedSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (is_device_code(*function.getParent()) || !has_marked_loops(function))
    return PreservedAnalyses::all();
  FunctionPassManager form;
  form.addPass(LoopSimplifyPass());
  form.addPass(LCSSAPass());
  form.run(function, analyses);
  if (!DistributedSums(function, analyses).run())
    return PreservedAnalyses::none();
  analyses.invalidate(function, PreservedAnalyses::none());
  form.addPass(ADCEPass()); // the counters as they were
  form.run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
