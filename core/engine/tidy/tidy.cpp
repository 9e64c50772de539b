#include "core/engine/tidy/tidy.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/rules/helper_functions.hpp"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace assay::engine {

void tidy(Function &derivative, FunctionAnalysisManager &analyses) {
  drop_float_bits(derivative);
  inline_helpers(derivative);
  analyses.invalidate(derivative, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(PromotePass()); // adjoints of scalars: far faster than by SROA when there are thousands in one block
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  if (derivative.hasFnAttribute(loops_to_unswitch_attribute))
    passes.addPass(createFunctionToLoopPassAdaptor(SimpleLoopUnswitchPass(/*NonTrivial=*/true), /*UseMemorySSA=*/true));
  LoopPassManager motion;
  motion.addPass(LoopRotatePass(true, false));
  motion.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(motion), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager induction;
  induction.addPass(IndVarSimplifyPass());
  induction.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(induction), /*UseMemorySSA=*/false));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(GVNPass());
  passes.addPass(DSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  passes.run(derivative, analyses);
  analyses.invalidate(derivative, PreservedAnalyses::none());
}

} // namespace assay::engine
