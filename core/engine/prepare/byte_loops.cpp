#include "core/engine/prepare/byte_loops.hpp"
#include "core/engine/prepare/byte_swaps.hpp"
#include "core/engine/prepare/unrolled_swaps.hpp"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool stores_as_it_is(const User &user, const Value &value) {
  const auto *store = dyn_cast<StoreInst>(&user);
  return store && store->getValueOperand() == &value;
}

bool moves_byte(const Instruction &instruction) {
  return isa<LoadInst>(instruction) && instruction.getType()->isIntegerTy(8) &&
         any_of(instruction.users(), [&](const User *user) { return stores_as_it_is(*user, instruction); });
}

/// A byte of a wider integer is stored, or read for one: what a loop chooses by shifts is seen once it is unrolled.
bool cuts_or_joins(const Instruction &instruction) {
  const auto is_byte = [](const Value &value) { return value.getType()->isIntegerTy(8); };
  if (isa<TruncInst>(instruction) && is_byte(instruction))
    return isa<PHINode, BinaryOperator>(instruction.getOperand(0)) &&
           any_of(instruction.users(), [&](const User *user) { return stores_as_it_is(*user, instruction); });
  return isa<ZExtInst>(instruction) && isa<LoadInst, CallBase>(instruction.getOperand(0)) &&
         is_byte(*instruction.getOperand(0)) && any_of(instruction.users(), [](const User *user) {
           return is_contained({Instruction::Shl, Instruction::Or, Instruction::Add},
                               cast<Instruction>(user)->getOpcode());
         });
}

/// The bytes of a number are few.
bool has_bytes_of_number(const Loop &loop, ScalarEvolution &evolution) {
  constexpr unsigned widest_number = 16;
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  return count > 1 && count <= widest_number;
}

constexpr StringLiteral full_unrolling = "llvm.loop.unroll.full";

/// At -O1 every loop says that it is not to be unrolled; that is about the size of the program, not of the clone. Here
/// the loop is unrolled further than elsewhere, if the number of its bytes is known.
void demand_unrolling(Loop &loop) {
  LLVMContext &context = loop.getHeader()->getContext();
  auto *demand = MDNode::get(context, MDString::get(context, full_unrolling));
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {demand}));
}

/// Where the number is not known the demand goes, or the compiler would warn of it.
void drop_demands(Function &function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (findOptionMDForLoop(loop, full_unrolling))
      loop->setLoopID(makePostTransformationMetadata(function.getContext(), loop->getLoopID(), {full_unrolling}, {}));
}

/// True for a loop about bytes, not one in whose course some bytes are moved too, that stays of a size that can be
/// compiled.
bool is_short(const Loop &loop, ScalarEvolution &evolution) {
  constexpr unsigned largest_body = 128, largest_whole = 1U << 15U; // instructions
  unsigned size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += block->size();
  return size <= largest_body && size * std::uint64_t{evolution.getSmallConstantTripCount(&loop)} <= largest_whole;
}

/// Looks at loops of its own: what analyses are kept must not outlive the changes of the steps that follow.
bool open_byte_loops(Function &function, FunctionAnalysisManager &analyses) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  ScalarEvolution evolution(function, analyses.getResult<TargetLibraryAnalysis>(function),
                            analyses.getResult<AssumptionAnalysis>(function), dominators, loops);
  bool found = false;
  for (Instruction &instruction : instructions(function))
    if (Loop *loop = loops.getLoopFor(instruction.getParent());
        loop && is_short(*loop, evolution) &&
        (moves_byte(instruction) || (cuts_or_joins(instruction) && has_bytes_of_number(*loop, evolution)))) {
      demand_unrolling(*loop);
      found = true;
    }
  return found;
}

} // namespace

bool rewrite_byte_loops(Function &function, FunctionAnalysisManager &analyses) {
  if (none_of(instructions(function),
              [](const Instruction &instruction) { return moves_byte(instruction) || cuts_or_joins(instruction); }))
    return false;
  const bool any_unrolled = rewrite_unrolled_swaps(function);
  if (any_unrolled)
    analyses.invalidate(function, PreservedAnalyses::none());
  if (!open_byte_loops(function, analyses))
    return any_unrolled;
  rewrite_byte_swaps(function, analyses);
  FunctionPassManager passes;
  LoopPassManager idioms;
  idioms.addPass(IndVarSimplifyPass());
  idioms.addPass(LoopIdiomRecognizePass());
  idioms.addPass(LoopDeletionPass());
  idioms.addPass(LoopFullUnrollPass(/*OptLevel=*/3, /*OnlyWhenForced=*/false, /*ForgetSCEV=*/false));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(idioms), /*UseMemorySSA=*/false));
  passes.addPass(AggressiveInstCombinePass());
  passes.run(function, analyses);
  drop_demands(function);
  analyses.invalidate(function, PreservedAnalyses::none());
  return true;
}

} // namespace assay::engine
