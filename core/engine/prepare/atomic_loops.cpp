#include "core/engine/prepare/atomic_loops.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace assay::engine {
namespace {

Value *without_casts(Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// What the loop does to the number in memory.
struct Update {
  AtomicRMWInst::BinOp operation;
  Value *operand;
};

/// A swap, and what it takes the memory to hold.
class TriedSwap {
public:
  explicit TriedSwap(AtomicCmpXchgInst &swap) : swap_(&swap), assumed_(without_casts(swap.getCompareOperand())) {}

  AtomicCmpXchgInst &instruction() const { return *swap_; }
  Value *assumed() const { return assumed_; }
  Value *desired() const { return without_casts(swap_->getNewValOperand()); }

  bool is_found(Value *value) const { return match(without_casts(value), m_ExtractValue<0>(m_Specific(swap_))); }
  bool is_assumed(Value *value) const { return without_casts(value) == assumed_; }

private:
  AtomicCmpXchgInst *swap_;
  Value *assumed_;
};

/// The way that control takes behind a swap that has taken place, as far as that is known.
class SuccessPath {
public:
  explicit SuccessPath(const TriedSwap &swap) : swap_(swap), block_(swap.instruction().getParent()) {}

  /// True when it gets out of the loop.
  bool leaves(const Loop &loop) {
    constexpr unsigned most = 8;
    for (unsigned blocks = 0; blocks < most; ++blocks) {
      auto *branch = dyn_cast<BranchInst>(block_->getTerminator());
      if (!branch)
        return false;
      const std::optional<bool> holds = branch->isConditional() ? value_of(branch->getCondition()) : true;
      if (!holds)
        return false;
      advance(*branch->getSuccessor(*holds ? 0 : 1));
      if (!loop.contains(block_))
        return block_ != loop.getHeader();
    }
    return false;
  }

private:
  void advance(BasicBlock &next) {
    for (PHINode &phi : next.phis())
      if (Value *value = phi.getIncomingValueForBlock(block_); is_replaced(value))
        replaced_.insert(&phi);
    block_ = &next;
  }

  /// True for the number that the swap replaced: what it found is what was assumed.
  bool is_replaced(Value *value) const {
    return swap_.is_found(value) || swap_.is_assumed(value) || replaced_.contains(without_casts(value));
  }

  std::optional<bool> value_of(Value *condition) const {
    Value *left = nullptr, *right = nullptr, *inner = nullptr;
    if (match(condition, m_ExtractValue<1>(m_Specific(&swap_.instruction()))))
      return true;
    if (match(condition, m_Not(m_Value(inner)))) {
      const std::optional<bool> value = value_of(inner);
      return value ? std::optional(!*value) : std::nullopt;
    }
    CmpPredicate predicate;
    if (!match(condition, m_ICmp(predicate, m_Value(left), m_Value(right))) || !is_replaced(left) ||
        !is_replaced(right) || !CmpInst::isEquality(predicate))
      return std::nullopt;
    return predicate == ICmpInst::ICMP_EQ;
  }

  const TriedSwap &swap_;
  BasicBlock *block_;
  SmallPtrSet<Value *, 4> replaced_;
};

class SwapLoop {
public:
  SwapLoop(AtomicCmpXchgInst &swap, Loop &loop, DominatorTree &dominators)
      : swap_(swap), loop_(loop), dominators_(dominators) {}

  bool rewrite() {
    if (!assumes_what_it_found() || writes_elsewhere() || !SuccessPath(swap_).leaves(loop_))
      return false;
    const std::optional<Update> update = find_update();
    if (!update)
      return false;
    const std::optional<TriedSwap> before = try_before_loop();
    if (before && !is_same_update(*before, *update))
      return false;
    replace(before.value_or(swap_), *update);
    return true;
  }

private:
  /// The phi of what is assumed, or of the results of swaps that it comes from; null where it is read anew.
  PHINode *phi() const {
    Value *assumed = swap_.assumed(), *pair = nullptr;
    auto *phi = dyn_cast<PHINode>(match(assumed, m_ExtractValue<0>(m_Value(pair))) ? pair : assumed);
    return phi && phi->getParent() == loop_.getHeader() ? phi : nullptr;
  }

  /// The swap found what is assumed next, or it is read again.
  bool assumes_what_it_found() const {
    if (const auto *load = dyn_cast<LoadInst>(swap_.assumed()))
      return load->getPointerOperand() == swap_.instruction().getPointerOperand() && loop_.contains(load);
    const PHINode *assumed = phi();
    return assumed && all_of(assumed->blocks(), [&](BasicBlock *from) {
             return !loop_.contains(from) || is_next(assumed->getIncomingValueForBlock(from));
           });
  }
  /// In the end of an iteration: what the swap found, also where that is only looked at after a failure.
  bool is_next(Value *value) const {
    if (value == &swap_.instruction() || swap_.is_found(value))
      return true;
    const auto *join = dyn_cast<PHINode>(without_casts(value));
    return join && loop_.contains(join) && join->getParent() != loop_.getHeader() &&
           all_of(join->incoming_values(),
                  [&](Value *incoming) { return swap_.is_found(incoming) || swap_.is_assumed(incoming); });
  }

  /// A first try that the optimiser has taken out of the loop.
  std::optional<TriedSwap> try_before_loop() const {
    const PHINode *assumed = phi();
    BasicBlock *from = assumed ? loop_.getLoopPredecessor() : nullptr;
    if (!from)
      return std::nullopt;
    Value *first = without_casts(assumed->getIncomingValueForBlock(from)), *pair = nullptr;
    auto *swap = dyn_cast<AtomicCmpXchgInst>(match(first, m_ExtractValue<0>(m_Value(pair))) ? pair : first);
    return swap ? std::optional<TriedSwap>(*swap) : std::nullopt;
  }

  bool is_same_update(const TriedSwap &first, const Update &update) const {
    if (first.instruction().getPointerOperand() != swap_.instruction().getPointerOperand() ||
        first.instruction().getParent() != loop_.getLoopPredecessor() || !SuccessPath(first).leaves(loop_))
      return false;
    const std::optional<Update> same = computed(first);
    return same && same->operation == update.operation && same->operand == update.operand;
  }

  bool writes_elsewhere() const {
    return any_of(loop_.blocks(), [&](BasicBlock *block) {
      return any_of(*block, [&](Instruction &instruction) {
        return &instruction != &swap_.instruction() && &instruction != swap_.assumed() &&
               instruction.mayWriteToMemory();
      });
    });
  }

  /// True for what is the same whatever the loop found in memory.
  bool is_fixed(Value *value) const {
    SmallSetVector<Value *, 8> pending;
    pending.insert(value);
    for (unsigned index = 0; index < pending.size(); ++index) {
      auto *instruction = dyn_cast<Instruction>(pending[index]);
      if (!instruction || !loop_.contains(instruction))
        continue;
      if (isa<PHINode>(instruction) || instruction->mayReadFromMemory())
        return false;
      pending.insert(instruction->op_begin(), instruction->op_end());
    }
    return true;
  }

  std::optional<Update> find_update() const {
    Value *desired = swap_.desired();
    if (!desired->getType()->isFloatingPointTy())
      return std::nullopt;
    std::optional<Update> update = computed(swap_);
    return update && is_fixed(update->operand) ? update : std::nullopt;
  }

  static std::optional<Update> computed(const TriedSwap &swap) {
    auto *operation = dyn_cast<Instruction>(swap.desired());
    if (!operation)
      return std::nullopt;
    if (operation->getOpcode() != Instruction::FAdd && operation->getOpcode() != Instruction::FSub)
      return std::nullopt;
    Value *first = operation->getOperand(0), *second = operation->getOperand(1);
    if (operation->getOpcode() == Instruction::FSub && swap.is_assumed(first) && !swap.is_assumed(second))
      return Update{AtomicRMWInst::FSub, second};
    if (operation->getOpcode() != Instruction::FAdd || swap.is_assumed(first) == swap.is_assumed(second))
      return std::nullopt;
    return Update{AtomicRMWInst::FAdd, swap.is_assumed(first) ? second : first};
  }

  /// What the desired number is computed by from the assumed one, in the order of computation.
  static void collect(const TriedSwap &swap, Value *value, SmallSetVector<Instruction *, 4> &result) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || value == swap.assumed() || !isa<BitCastInst, BinaryOperator>(instruction))
      return;
    for (Value *operand : instruction->operands())
      if (swap.is_assumed(operand) || operand == swap.desired())
        collect(swap, operand, result);
    result.insert(instruction);
  }

  /// The first try succeeds; what comes behind it sees the replaced value as the assumed one.
  void replace(const TriedSwap &tried, const Update &update) {
    AtomicCmpXchgInst &swap = tried.instruction();
    SmallSetVector<Instruction *, 4> computed;
    collect(tried, swap.getNewValOperand(), computed);
    IRBuilder<> builder(&swap);
    AtomicRMWInst *old =
        builder.CreateAtomicRMW(update.operation, swap.getPointerOperand(), without_casts(update.operand),
                                swap.getAlign(), swap.getSuccessOrdering(), swap.getSyncScopeID());
    Value *old_bits = builder.CreateBitCast(old, swap.getCompareOperand()->getType());
    ValueToValueMapTy now;
    const auto follow = [&](Value &before, Value *after) {
      now[&before] = after;
      before.replaceUsesWithIf(after, [&](Use &use) { return dominators_.dominates(&swap, use); });
    };
    follow(*tried.assumed(), builder.CreateBitCast(old, tried.assumed()->getType()));
    if (swap.getCompareOperand() != tried.assumed() && isa<Instruction>(swap.getCompareOperand()))
      follow(*swap.getCompareOperand(), old_bits);
    for (Instruction *instruction : computed) {
      Instruction *again = builder.Insert(instruction->clone());
      for (Use &use : again->operands())
        if (Value *known = now.lookup(use.get()))
          use.set(known);
      follow(*instruction, again);
    }
    for (User *user : swap.users())
      if (match(user, m_ExtractValue<1>(m_Specific(&swap))))
        user->replaceAllUsesWith(builder.getTrue());
    Value *pair = builder.CreateInsertValue(PoisonValue::get(swap.getType()), old_bits, 0);
    swap.replaceAllUsesWith(builder.CreateInsertValue(pair, builder.getTrue(), 1));
    swap.eraseFromParent();
    if (auto *load = dyn_cast<LoadInst>(tried.assumed()); load && loop_.contains(load))
      load->setVolatile(false); // it only asked for what the operation finds itself
  }

  TriedSwap swap_;
  Loop &loop_;
  DominatorTree &dominators_;
};

} // namespace

bool rewrite_atomic_loops(Function &function) {
  if (!is_device_code(*function.getParent()))
    return false;
  SmallVector<AtomicCmpXchgInst *, 4> swaps;
  for (Instruction &instruction : instructions(function))
    if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction))
      swaps.push_back(swap);
  if (swaps.empty())
    return false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool changed = false;
  for (AtomicCmpXchgInst *swap : reverse(swaps)) // a try before the loop goes with the loop's
    if (Loop *loop = loops.getLoopFor(swap->getParent()))
      changed |= SwapLoop(*swap, *loop, dominators).rewrite();
  return changed;
}

} // namespace assay::engine
