#include "core/engine/tidy/joined_sums.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/tidy/sum_order.hpp"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

/// More blocks between two sums are not looked through.
constexpr std::size_t most_blocks = 32;

AtomicRMWInst *as_sum(Instruction &instruction) {
  auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && place_of_adjoint_sum(*atomic) ? atomic : nullptr;
}

class Joiner {
public:
  Joiner(Function &function, FunctionAnalysisManager &analyses)
      : function_(function), aliases_(analyses.getResult<AAManager>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        post_dominators_(analyses.getResult<PostDominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<LoopAnalysis>(function)) {}

  bool run() {
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function_)))
      if (AtomicRMWInst *sum = as_sum(instruction))
        changed |= join_with_later(*sum);
    for (Instruction &instruction : make_early_inc_range(instructions(function_)))
      if (AtomicRMWInst *sum = as_sum(instruction))
        changed |= join_with_clearing(*sum);
    return changed;
  }

private:
  /// What the first adds, the second adds as well.
  bool join_with_later(AtomicRMWInst &first) {
    for (User *user : first.getPointerOperand()->users()) {
      auto *instruction = dyn_cast<Instruction>(user);
      AtomicRMWInst *second = instruction ? as_sum(*instruction) : nullptr;
      if (!second || second == &first || second->getType() != first.getType() ||
          second->getPointerOperand() != first.getPointerOperand() || !run_together(first, *second) ||
          !commutes_until(first, *second))
        continue;
      IRBuilder<> builder(second);
      second->setOperand(1, builder.CreateFAdd(first.getValOperand(), second->getValOperand()));
      first.eraseFromParent();
      return true;
    }
    return false;
  }

  /// One runs whenever the other does, the second one later.
  bool run_together(const Instruction &first, const Instruction &second) const {
    if (loops_.getLoopFor(first.getParent()) != loops_.getLoopFor(second.getParent()))
      return false;
    return dominators_.dominates(&first, &second) &&
           (first.getParent() == second.getParent() ||
            post_dominators_.dominates(second.getParent(), first.getParent()));
  }

  /// Whether the sum may take place later, at `until`.
  bool commutes_until(const AtomicRMWInst &sum, const Instruction &until) {
    const MemoryLocation place = MemoryLocation::get(&sum);
    if (sum.getParent() == until.getParent())
      return commutes(place, sum.getIterator(), until.getIterator());
    if (!commutes(place, sum.getIterator(), sum.getParent()->end()) ||
        !commutes(place, until.getParent()->begin(), until.getIterator()))
      return false;
    SmallPtrSet<const BasicBlock *, 8> seen{sum.getParent(), until.getParent()};
    SmallVector<const BasicBlock *, 8> pending(successors(sum.getParent()));
    while (!pending.empty()) {
      const BasicBlock *block = pending.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      if (seen.size() > most_blocks || !commutes(place, block->begin(), block->end()))
        return false;
      append_range(pending, successors(block));
    }
    return true;
  }

  bool commutes(const MemoryLocation &place, BasicBlock::const_iterator begin, BasicBlock::const_iterator end) {
    return all_of(make_range(begin, end),
                  [&](const Instruction &instruction) { return commutes_with_sum(instruction, place, aliases_); });
  }
  /// `*p = 0; *p += v` is `*p = v`, and nothing where v is what was read there before.
  bool join_with_clearing(AtomicRMWInst &sum) {
    Instruction *before = sum.getPrevNode();
    while (before && (!before->mayReadOrWriteMemory() || isa<AssumeInst>(before)))
      before = before->getPrevNode();
    auto *clearing = dyn_cast_or_null<StoreInst>(before);
    if (!clearing || !clearing->isSimple() || clearing->getPointerOperand() != sum.getPointerOperand() ||
        clearing->getValueOperand()->getType() != sum.getType() || !match(clearing->getValueOperand(), m_AnyZeroFP()))
      return false;
    if (!is_there_before(*clearing, *sum.getValOperand())) {
      IRBuilder<> builder(&sum);
      builder.CreateAlignedStore(sum.getValOperand(), sum.getPointerOperand(), clearing->getAlign());
    }
    sum.eraseFromParent();
    clearing->eraseFromParent();
    return true;
  }

  /// Whether the value was read where the store clears, and nothing was written since.
  static bool is_there_before(const StoreInst &clearing, const Value &value) {
    const auto *read = dyn_cast<LoadInst>(&value);
    return read && read->isSimple() && read->getParent() == clearing.getParent() &&
           read->getPointerOperand() == clearing.getPointerOperand() && read->comesBefore(&clearing) &&
           none_of(make_range(read->getIterator(), clearing.getIterator()),
                   [](const Instruction &instruction) { return instruction.mayWriteToMemory(); });
  }

  Function &function_;
  AAResults &aliases_;
  DominatorTree &dominators_;
  PostDominatorTree &post_dominators_;
  LoopInfo &loops_;
};

/// Arguments of a kernel do not lead to a thread's own memory: sums behind them need not ask.
bool fold_questions_for_memory(Function &kernel) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    auto *question = dyn_cast<IntrinsicInst>(&instruction);
    if (!question || question->getIntrinsicID() != Intrinsic::nvvm_isspacep_local ||
        !isa<Argument>(getUnderlyingObject(question->getArgOperand(0), 0)))
      continue;
    question->replaceAllUsesWith(ConstantInt::getFalse(question->getType()));
    question->eraseFromParent();
    changed = true;
  }
  if (!changed)
    return false;
  for (BasicBlock &block : kernel)
    ConstantFoldTerminator(&block, true);
  removeUnreachableBlocks(kernel);
  for (BasicBlock &block : make_early_inc_range(kernel))
    MergeBlockIntoPredecessor(&block);
  return true;
}

} // namespace

PreservedAnalyses JoinedSumsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!is_device_code(*function.getParent()))
    return PreservedAnalyses::all();
  const bool is_kernel = function.getCallingConv() == CallingConv::PTX_Kernel;
  const bool folded = is_kernel && fold_questions_for_memory(function);
  if (folded)
    analyses.invalidate(function, PreservedAnalyses::none());
  const bool joined = Joiner(function, analyses).run();
  return folded || joined ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace assay::engine
