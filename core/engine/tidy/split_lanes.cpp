#include "core/engine/tidy/split_lanes.hpp"
#include "core/engine/tidy/jam_loops.hpp"
#include "core/engine/tidy/nest_copies.hpp"
#include "core/engine/tidy/part_bounds.hpp"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_short(const Loop &loop, ScalarEvolution &evolution) {
  constexpr unsigned few = 8; // iterations
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most != 0 && most < few;
}

/// What is read and written is read first, so it may be read in a loop that runs before.
bool reads_before_it_writes(const NestMemory &memory) {
  return all_of(memory.places(), [](const Place &place) {
    const auto is_store = [](const Instruction *access) { return isa<StoreInst>(access); };
    return none_of(place.accesses, [&](const Instruction *read) {
      return !is_store(read) && any_of(place.accesses, [&](const Instruction *store) {
        return is_store(store) && (store->getParent() != read->getParent() || store->comesBefore(read));
      });
    });
  });
}

class Splitting {
public:
  Splitting(Function &function, FunctionAnalysisManager &analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        aliases_(analyses.getResult<AAManager>(function)) {}

  bool run() {
    SmallVector<BasicBlock *, 8> innermost; // their headers; a loop may end with one that is split around it
    for (Loop *loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost() && loop->getNumBlocks() == 1 && is_marked(*loop))
        innermost.push_back(loop->getHeader());
    bool changed = false;
    for (BasicBlock *header : innermost)
      changed |= split(*loops_.getLoopFor(header));
    return changed;
  }

private:
  bool split(Loop &loop) { return !is_short(loop, evolution_) && (split_lanes(loop) || split_sums(loop)); }

  bool split_sums(Loop &loop) {
    constexpr unsigned at_once = 8;
    const std::optional<LaneParts> parts = sum_parts(loop, loops_);
    return parts && ask_before(loop, *parts) && write(loop, *parts, at_once);
  }

  bool split_lanes(Loop &loop) {
    const std::optional<LaneParts> parts = lane_parts(loop, loops_, evolution_);
    if (!parts)
      return false;
    Loop *nest = loop.getParentLoop();
    const bool has_columns = nest && walks_down_columns(*nest, evolution_, aliases_);
    const unsigned count = has_columns ? lanes_of_columns(*parts) : lanes_at_once(*parts);
    if (count >= parts->lanes.size())
      return false;
    if (split_nest(loop, count))
      return true;
    if (has_columns || !(dependences(loop, *parts, aliases_).empty() || set_apart(loop)))
      return false;
    return write(loop, *parts, count);
  }

  /// The outermost loop around it that can be: its lanes share the cache with no others.
  bool split_nest(Loop &innermost, unsigned count) {
    SmallVector<Loop *, 4> around;
    for (Loop *loop = innermost.getParentLoop(); loop; loop = loop->getParentLoop())
      around.push_back(loop);
    return any_of(reverse(around), [&](Loop *nest) {
      const std::optional<LaneParts> parts = is_marked(*nest) ? lane_parts(*nest, loops_, evolution_) : std::nullopt;
      return parts && ask_before(*nest, *parts) && write(*nest, *parts, count);
    });
  }

  bool ask_before(Loop &nest, const LaneParts &parts) {
    PartBounds bounds(nest, parts, evolution_, aliases_);
    if (!bounds.are_known())
      return false;
    Value *condition = bounds.write_condition(*nest.getLoopPreheader()->getTerminator());
    return leave_copy(nest, *condition, loops_, dominators_);
  }

  bool write(Loop &loop, const LaneParts &parts, unsigned count) {
    separate_lanes(loop, parts, count, loops_, dominators_);
    evolution_.forgetAllLoops();
    return true;
  }

  bool set_apart(Loop &loop) {
    NestMemory memory(loop, evolution_, aliases_);
    if (!memory.allows(1) || !reads_before_it_writes(memory))
      return false;
    Value *condition = memory.write_conditions(1, *loop.getLoopPreheader()->getTerminator());
    return separate(loop, memory, *condition, loops_, dominators_);
  }

  LoopInfo &loops_;
  DominatorTree &dominators_;
  ScalarEvolution &evolution_;
  AAResults &aliases_;
};

} // namespace

PreservedAnalyses SplitLanesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!has_marked_loops(function))
    return PreservedAnalyses::all();
  FunctionPassManager form;
  form.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass(), /*UseMemorySSA=*/false)); // as before the vectoriser
  form.addPass(LoopSimplifyPass());
  form.addPass(LCSSAPass());
  form.run(function, analyses);
  if (!Splitting(function, analyses).run())
    return PreservedAnalyses::none();
  analyses.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager simplification;
  simplification.addPass(SimplifyCFGPass());
  simplification.addPass(EarlyCSEPass(true));
  simplification.addPass(InstCombinePass());
  simplification.run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace assay::engine
