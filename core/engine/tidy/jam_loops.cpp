#include "core/engine/tidy/jam_loops.hpp"
#include "core/engine/tidy/lane_parts.hpp"
#include "core/engine/tidy/nest_copies.hpp"
#include "core/engine/tidy/widen_nest.hpp"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// A block before the inner loop, the inner loop's own, a block after it.
bool is_simple_nest(const Loop &outer) {
  if (outer.getSubLoops().size() != 1 || outer.getNumBlocks() != 3 || !outer.isLoopSimplifyForm() ||
      !outer.isSafeToClone())
    return false;
  const Loop &inner = *outer.getSubLoops().front();
  return inner.getNumBlocks() == 1 && inner.isLoopSimplifyForm() && inner.getLoopPreheader() == outer.getHeader() &&
         inner.getExitBlock() == outer.getLoopLatch() && outer.getExitingBlock() == outer.getLoopLatch() &&
         outer.getExitBlock();
}

bool is_of_derivative(const Loop &outer) {
  return is_marked(outer) || is_marked(*outer.getSubLoops().front());
}

/// All that one iteration of the outer loop leaves to the next is in memory, or known beforehand.
bool only_counts(const Loop &outer, ScalarEvolution &evolution) {
  return all_of(outer.getHeader()->phis(), [&](PHINode &phi) {
    const auto *counter =
        evolution.isSCEVable(phi.getType()) ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
    const auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(outer.getLoopLatch()));
    return counter && counter->isAffine() && next && all_of(next->operands(), [&](const Use &operand) {
             return operand.get() == &phi || outer.isLoopInvariant(operand.get());
           });
  });
}

constexpr unsigned most_beside = 8; // iterations

/// So many that their sums find a place in registers.
unsigned iterations_beside(const Loop &outer) {
  constexpr unsigned registers = 16;
  const auto phis = outer.getSubLoops().front()->getHeader()->phis();
  const auto sums = count_if(phis, [](const PHINode &phi) { return phi.getType()->isFPOrFPVectorTy(); });
  return sums > registers / 4 ? 2 : 4;
}

class Jamming {
public:
  Jamming(Function &function, FunctionAnalysisManager &analyses)
      : function_(function), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        assumptions_(analyses.getResult<AssumptionAnalysis>(function)),
        target_(analyses.getResult<TargetIRAnalysis>(function)), aliases_(analyses.getResult<AAManager>(function)) {}

  bool run() {
    SmallVector<Loop *, 8> nests;
    for (Loop *loop : loops_.getLoopsInPreorder())
      if (is_simple_nest(*loop) && is_of_derivative(*loop))
        nests.push_back(loop);
    bool changed = false;
    for (Loop *nest : nests)
      changed |= jam(*nest);
    return changed;
  }

private:
  bool jam(Loop &nest) {
    if (!walks_down_columns(nest, evolution_, aliases_))
      return false;
    NestMemory memory(nest, evolution_, aliases_);
    memory.allows(most_beside);
    Value *condition = memory.write_conditions(most_beside, *nest.getLoopPreheader()->getTerminator());
    if (!separate(nest, memory, *condition, loops_, dominators_))
      return false;
    evolution_.forgetAllLoops();
    OptimizationRemarkEmitter remarks(&function_);
    for (Loop *part : parts_of(nest))
      if (!widen_nest(*part, NestMemory(*part, evolution_, aliases_), most_beside, loops_, dominators_, evolution_))
        UnrollAndJamLoop(part, iterations_beside(*part), /*TripCount=*/0, /*TripMultiple=*/1, /*UnrollRemainder=*/false,
                         &loops_, &evolution_, &dominators_, &assumptions_, &target_, &remarks);
    return true;
  }

  /// A nest of its own for every few tangents: their sums are to find a place in registers as well.
  SmallVector<Loop *, 4> parts_of(Loop &nest) {
    const std::optional<LaneParts> parts = lane_parts(nest, loops_, evolution_);
    if (!parts)
      return {&nest};
    const unsigned count = lanes_of_columns(*parts);
    if (count >= parts->lanes.size())
      return {&nest};
    SmallVector<Loop *, 4> nests = separate_lanes(nest, *parts, count, loops_, dominators_);
    evolution_.forgetAllLoops();
    return nests;
  }

  Function &function_;
  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  AssumptionCache &assumptions_;
  TargetTransformInfo &target_;
  AAResults &aliases_;
};

} // namespace

bool walks_down_columns(const Loop &nest, ScalarEvolution &evolution, AAResults &aliases) {
  if (!is_simple_nest(nest) || !is_of_derivative(nest) || !only_counts(nest, evolution))
    return false;
  NestMemory memory(nest, evolution, aliases);
  return memory.has_columns() && memory.allows(most_beside);
}

PreservedAnalyses JamLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!has_marked_loops(function))
    return PreservedAnalyses::all();
  FunctionPassManager form;
  form.addPass(LoopSimplifyPass());
  form.addPass(LCSSAPass());
  form.run(function, analyses);
  if (!Jamming(function, analyses).run())
    return PreservedAnalyses::none();
  analyses.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager simplification;
  LoopPassManager counters; // each iteration brought one of its own
  counters.addPass(IndVarSimplifyPass());
  simplification.addPass(SimplifyCFGPass());
  simplification.addPass(createFunctionToLoopPassAdaptor(std::move(counters), /*UseMemorySSA=*/false));
  simplification.addPass(EarlyCSEPass(true));
  simplification.addPass(DSEPass());
  simplification.addPass(InstCombinePass());
  simplification.run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
