#include "core/engine/tidy/tidy.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/rules/helper_functions.hpp"
#include "core/engine/tidy/rare_loops.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace assay::engine {

/// LLVM's instruction selector for unoptimised code looks through `inttoptr (bitcast double)` for an address and takes
/// the register of the number for it. Loads of one place as a number and as an address become that, here by GVN.
static void separate_addresses_from_floats(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<IntToPtrInst>(&instruction);
    auto *bits = address ? dyn_cast<BitCastInst>(address->getOperand(0)) : nullptr;
    if (bits && bits->getOperand(0)->getType()->isFloatingPointTy())
      address->setOperand(0, IRBuilder<>(address).CreateFreeze(bits));
  }
}

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
  passes.addPass(RareLoopsPass());
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
  separate_addresses_from_floats(derivative);
  analyses.invalidate(derivative, PreservedAnalyses::none());
}

} // namespace assay::engine
