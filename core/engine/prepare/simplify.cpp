#include "core/engine/prepare/simplify.hpp"
#include "core/engine/prepare/sign_bits.hpp"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace assay::engine {

/// Speculation is kept off: a branch that guards log(x) must stay a branch, or its derivative would be 0 * inf.
static SimplifyCFGOptions keep_guards() {
  return SimplifyCFGOptions().speculateBlocks(false).hoistCommonInsts(true);
}

namespace {

/// Signs that are set in the bits of floats: the combiner drops the casts that say so, and loads and stores integers.
struct SignBitsPass : PassInfoMixin<SignBitsPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    if (!rewrite_sign_bits(function))
      return PreservedAnalyses::all();
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};

} // namespace

void simplify(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SignBitsPass());
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.addPass(InstCombinePass());
  passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass(keep_guards()));
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass(true, false));
  rotate.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.addPass(InstCombinePass());
  LoopPassManager induction;
  induction.addPass(LoopIdiomRecognizePass()); // bytes that are copied one by one are copied as what they are
  induction.addPass(IndVarSimplifyPass());
  induction.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(induction), /*UseMemorySSA=*/false));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(InstCombinePass());
  LoopPassManager motion;
  motion.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(motion), /*UseMemorySSA=*/true));
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass(keep_guards()));
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
}

bool has_irreducible_cycle(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  ReversePostOrderTraversal<Function *> order(&function);
  return containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

void make_loops_canonical(Function &function, FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  if (has_irreducible_cycle(function, analyses)) {
    passes.addPass(LowerSwitchPass());
    passes.addPass(RegToMemPass()); // the next pass loses values that several entries of a cycle pass on
    passes.addPass(FixIrreduciblePass());
    passes.addPass(PromotePass());
  }
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
}

} // namespace assay::engine
