#include "core/engine/tidy/vector_choice.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/tidy/inline_derivatives.hpp"
#include "llvm/ADT/Any.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

// Pairs of instructions in the same block. Among many branches, each block has phis that the vectoriser tries to join,
// and what these come from.
constexpr double most_work = 1.5e6, most_work_among_branches = 2.5e5;
constexpr std::size_t many_blocks = 512;

double pairs_in_blocks(const Function &function) {
  double pairs = 0;
  for (const BasicBlock &block : function)
    pairs += double(block.size()) * double(block.size());
  return pairs;
}

bool is_long_derivative(const Function &function) {
  return function.hasFnAttribute(derivative_attribute) &&
         pairs_in_blocks(function) > (function.size() > many_blocks ? most_work_among_branches : most_work);
}

bool has_sums(const Function &function) {
  return any_of(instructions(function),
                [](const Instruction &instruction) { return instruction.hasMetadata(sum_in_memory); });
}

/// The analyses of a function that is not to be changed.
struct Analyses {
  explicit Analyses(Function &function)
      : dominators(function), loops(dominators), assumptions(function),
        library_of_target(function.getParent()->getTargetTriple()), library(library_of_target),
        evolution(function, library, assumptions, dominators, loops) {}

  DominatorTree dominators;
  LoopInfo loops;
  AssumptionCache assumptions;
  TargetLibraryInfoImpl library_of_target;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
};

/// Additions to memory in one block of a loop.
class NeighbouringSums {
public:
  NeighbouringSums(const BasicBlock &block, ScalarEvolution &evolution) : evolution_(evolution) {
    for (const Instruction &instruction : block)
      if (const auto *store = dyn_cast<StoreInst>(&instruction);
          store && addresses_.size() < most && store->hasMetadata(sum_in_memory) &&
          store->getValueOperand()->getType()->isFloatingPointTy())
        addresses_.push_back(evolution.getSCEV(const_cast<Value *>(store->getPointerOperand())));
  }

  /// Some lie side by side, and those of one iteration overlap with those of the next, or are too few to be worth it.
  bool should_stay_apart(const Loop &loop) const {
    constexpr std::int64_t bytes = sizeof(double), worth = 4 * bytes;
    return any_of(addresses_, [&](const SCEV *first) {
      const auto *moving = dyn_cast<SCEVAddRecExpr>(first);
      if (evolution_.isLoopInvariant(first, &loop) || !has(first, bytes))
        return false;
      if (is_repeated(first))
        return true;
      if (has(first, -bytes)) // not the first of its neighbours
        return false;
      std::int64_t span = bytes;
      while (has(first, span))
        span += bytes;
      const auto *step = moving ? dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution_)) : nullptr;
      return span < worth || (step && std::abs(step->getAPInt().getSExtValue()) < span);
    });
  }

private:
  static constexpr std::size_t most = 64;

  /// Of an unrolled loop: the next iteration is in the same block.
  bool is_repeated(const SCEV *address) const { return count(addresses_, address) > 1; }

  bool has(const SCEV *first, std::int64_t distance) const {
    return any_of(addresses_, [&](const SCEV *other) {
      const auto *difference = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(other, first));
      return difference && difference->getAPInt().getSExtValue() == distance;
    });
  }

  ScalarEvolution &evolution_;
  SmallVector<const SCEV *, 8> addresses_;
};

/// What is left over of a vectorised loop runs rarely.
bool has_sums_to_keep_apart(const Function &function) {
  if (!has_sums(function))
    return false;
  Analyses analyses(const_cast<Function &>(function));
  return any_of(function, [&](const BasicBlock &block) {
    const Loop *loop = analyses.loops.getLoopFor(&block);
    return loop && !getBooleanLoopAttribute(loop, "llvm.loop.isvectorized") &&
           NeighbouringSums(block, analyses.evolution).should_stay_apart(*loop);
  });
}

} // namespace

void choose_vectors_of_straight_code(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any unit) {
    if (pass != "SLPVectorizerPass")
      return true;
    const Function *const *function = any_cast<const Function *>(&unit);
    return !function || !(is_long_derivative(**function) || has_sums_to_keep_apart(**function));
  });
}

} // namespace assay::engine
