#include "core/engine/tidy/hoist_loads.hpp"
#include "core/engine/tidy/nest_copies.hpp"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace assay::engine {
namespace {

class Hoisting {
public:
  Hoisting(Loop &loop, ScalarEvolution &evolution, AAResults &aliases)
      : loop_(loop), evolution_(evolution), aliases_(aliases) {}

  bool run() {
    if (loop_.getNumBlocks() != 1 || !loop_.getLoopPreheader() || !only_stores())
      return false;
    SmallVector<LoadInst *, 8> loads;
    for (Instruction &instruction : *loop_.getHeader()) { // which runs whenever the loop does
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && load->isSimple() && loop_.isLoopInvariant(load->getPointerOperand()) && stays(*load))
        loads.push_back(load);
      if (!isGuaranteedToTransferExecutionToSuccessor(&instruction))
        break;
    }
    for (LoadInst *load : loads)
      load->moveBefore(loop_.getLoopPreheader()->getTerminator()->getIterator());
    return !loads.empty();
  }

private:
  bool only_stores() {
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block) {
        if (!instruction.mayWriteToMemory())
          continue;
        auto *store = dyn_cast<StoreInst>(&instruction);
        if (!store || !store->isSimple() || store->getValueOperand()->getType()->isScalableTy())
          return false;
        stores_.push_back(store);
      }
    return true;
  }

  bool stays(const LoadInst &load) {
    return !load.getType()->isScalableTy() && all_of(stores_, [&](StoreInst *store) {
      const auto place = [](const Instruction &access) {
        return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access), access.getAAMetadata());
      };
      return aliases_.isNoAlias(place(*store), place(load)) || is_apart(load, *store);
    });
  }

  /// The store starts behind the load's end and moves away from it, or starts before it and moves the other way. To
  /// meet it, it would have to go all around the address space.
  bool is_apart(const LoadInst &load, const StoreInst &store) {
    const SCEV *distance = evolution_.getMinusSCEV(evolution_.getSCEV(const_cast<Value *>(store.getPointerOperand())),
                                                   evolution_.getSCEV(const_cast<Value *>(load.getPointerOperand())));
    const auto *moving = dyn_cast<SCEVAddRecExpr>(distance);
    if (!moving || moving->getLoop() != &loop_ || !moving->isAffine())
      return false;
    const auto *start = dyn_cast<SCEVConstant>(moving->getStart());
    const auto *step = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_));
    if (!start || !step)
      return false;
    const DataLayout &layout = load.getDataLayout();
    const auto bytes = [&](Type *type) { return static_cast<std::int64_t>(layout.getTypeStoreSize(type)); };
    const std::int64_t first = start->getAPInt().getSExtValue(), move = step->getAPInt().getSExtValue();
    return move > 0 ? first >= bytes(load.getType()) : first <= -bytes(store.getValueOperand()->getType());
  }

  Loop &loop_;
  ScalarEvolution &evolution_;
  AAResults &aliases_;
  SmallVector<StoreInst *, 8> stores_;
};

} // namespace

PreservedAnalyses HoistLoadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!has_marked_loops(function))
    return PreservedAnalyses::all();
  LoopSimplifyPass().run(function, analyses);
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &aliases = analyses.getResult<AAManager>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && is_marked(*loop) && Hoisting(*loop, evolution, aliases).run())
      evolution.forgetLoop(loop);
  analyses.invalidate(function, PreservedAnalyses::allInSet<CFGAnalyses>());
  return PreservedAnalyses::none();
}

} // namespace assay::engine
