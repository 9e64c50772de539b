#include "core/engine/prepare/byte_loops.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool moves_byte(const Instruction &instruction) {
  return isa<LoadInst>(instruction) && instruction.getType()->isIntegerTy(8) &&
         any_of(instruction.users(), [&](const User *user) {
           const auto *store = dyn_cast<StoreInst>(user);
           return store && store->getValueOperand() == &instruction;
         });
}

/// Looks at loops of its own: what `analyses` keeps must not outlive the changes of the steps that follow.
bool moves_bytes_in_loops(Function &function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return moves_byte(instruction) && loops.getLoopFor(instruction.getParent());
  });
}

} // namespace

bool rewrite_byte_loops(Function &function, FunctionAnalysisManager &analyses) {
  if (none_of(instructions(function), moves_byte) || !moves_bytes_in_loops(function))
    return false;
  FunctionPassManager passes;
  LoopPassManager idioms;
  idioms.addPass(IndVarSimplifyPass());
  idioms.addPass(LoopIdiomRecognizePass());
  idioms.addPass(LoopFullUnrollPass(/*OptLevel=*/3, /*OnlyWhenForced=*/false, /*ForgetSCEV=*/false));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(idioms), /*UseMemorySSA=*/false));
  passes.addPass(AggressiveInstCombinePass());
  passes.run(function, analyses);
  analyses.invalidate(function, PreservedAnalyses::none());
  return true;
}

} // namespace assay::engine
