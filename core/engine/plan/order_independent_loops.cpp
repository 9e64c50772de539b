#include "core/engine/plan/order_independent_loops.hpp"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// `sum` is `part` with something added or taken away.
bool adds_to(const Instruction &sum, const Value &part) {
  if (sum.getOpcode() == Instruction::FAdd)
    return true;
  if (sum.getOpcode() == Instruction::FSub)
    return sum.getOperand(0) == &part;
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&sum);
  return intrinsic &&
         (intrinsic->getIntrinsicID() == Intrinsic::fmuladd || intrinsic->getIntrinsicID() == Intrinsic::fma) &&
         intrinsic->getArgOperand(2) == &part;
}

class OrderIndependenceFinder {
public:
  OrderIndependenceFinder(const OrderIndependenceInput &input, const Loop &loop) : input_(input), loop_(loop) {}

  std::optional<OrderIndependence> run() {
    const LoopRecord &record = input_.control.loops.at(&loop_);
    if (!record.count || !is_left_at_latch(loop_) || keeps_values_of_inner_loops() || undoes_stores_always() ||
        !carries_sums_only() || !collect_accesses() || any_accesses_meet())
      return std::nullopt;
    return std::move(result_);
  }

private:
  bool is_left_at_latch(const Loop &loop) const {
    return input_.control.loops.at(&loop).only_exiting == loop.getLoopLatch();
  }

  // --- kept values --------------------------------------------------------------------------------------------------

  /// The tape of an inner loop moves up and down like a stack; the loop's own is an array.
  bool keeps_values_of_inner_loops() const {
    return any_of(input_.kept, [&](const KeptValue &value) {
      const Loop *home = input_.loops.getLoopFor(value.origin->getParent());
      return home && home != &loop_ && loop_.contains(home);
    });
  }

  /// What is restored comes off a stack.
  bool undoes_stores_always() {
    for (const RestoredStore &restored : input_.restored) {
      if (!loop_.contains(restored.store))
        continue;
      if (!restored.check)
        return true;
      add_check(*restored.check);
    }
    return false;
  }

  void add_check(unsigned check) {
    if (!is_contained(result_.unless, check))
      result_.unless.push_back(check);
  }

  // --- loop-carried values ----------------------------------------------------------------

  /// Outside the loop, the last value of a sum is all that is of interest.
  bool carries_sums_only() const {
    SmallPtrSet<const Value *, 4> sums;
    for (const PHINode &phi : loop_.getHeader()->phis()) {
      if (!input_.has_adjoint(phi))
        continue;
      if (!is_sum(phi, loop_))
        return false;
      sums.insert(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    }
    return all_of(loop_.blocks(), [&](const BasicBlock *block) {
      return all_of(*block, [&](const Instruction &value) {
        return sums.contains(&value) || !input_.has_adjoint(value) ||
               all_of(value.users(), [&](const User *user) { return loop_.contains(cast<Instruction>(user)); });
      });
    });
  }

  /// From the header to the latch, something is added to the value, and it is used for nothing else.
  bool is_sum(const PHINode &phi, const Loop &loop) const {
    const Value *last = phi.getIncomingValueForBlock(loop.getLoopLatch());
    for (const Instruction *current = &phi; current;) {
      const Instruction *next = only_user(*current, [&](const Instruction &user) { return loop.contains(&user); });
      if (next == &phi)
        return current == last;
      if (const auto *inner = dyn_cast_or_null<PHINode>(next))
        current = past_inner_loop(*inner, loop);
      else
        current = next && adds_to(*next, *current) ? next : nullptr;
    }
    return false;
  }

  /// What the inner loop, in which it is a sum as well, makes of it.
  const Instruction *past_inner_loop(const PHINode &phi, const Loop &outer) const {
    const Loop *loop = input_.loops.getLoopFor(phi.getParent());
    if (loop == &outer || loop->getParentLoop() != &outer || loop->getHeader() != phi.getParent() ||
        !is_left_at_latch(*loop) || !is_sum(phi, *loop))
      return nullptr;
    const auto *last = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop->getLoopLatch()));
    const auto *result = dyn_cast_or_null<PHINode>(
        last ? only_user(*last, [&](const Instruction &user) { return !loop->contains(&user); }) : nullptr);
    return result && result->getNumIncomingValues() == 1 && outer.contains(result) ? result : nullptr;
  }

  /// Of those that have adjoints.
  const Instruction *only_user(const Instruction &value, function_ref<bool(const Instruction &)> counts) const {
    const Instruction *only = nullptr;
    for (const User *user : value.users()) {
      const auto &instruction = *cast<Instruction>(user);
      if (!input_.has_adjoint(instruction) || !counts(instruction))
        continue;
      if (std::exchange(only, &instruction))
        return nullptr;
    }
    return only;
  }

  // --- memory --------------------------------------------------------------------------------------------------------

  /// False where there is more than loads and stores of numbers.
  bool collect_accesses() {
    for (const BasicBlock *block : loop_.blocks())
      for (const Instruction &instruction : *block) {
        if (isa<LoadInst, StoreInst>(instruction)) {
          if (!collect_access(instruction))
            return false;
        } else if ((isa<CallBase>(instruction) || instruction.mayReadOrWriteMemory()) && !is_pure(instruction)) {
          return false;
        }
      }
    constexpr std::size_t most_pairs = 4096;
    return stores_.size() * (loads_.size() + stores_.size()) <= most_pairs;
  }

  bool collect_access(const Instruction &access) {
    if (access.isVolatile() || access.isAtomic())
      return false;
    if (!input_.has_adjoint(access))
      return true;
    (isa<StoreInst>(access) ? stores_ : loads_).push_back(&access);
    return getLoadStoreType(&access)->isFPOrFPVectorTy();
  }

  bool is_pure(const Instruction &instruction) const {
    if (input_.is_scalar(instruction))
      return true;
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->doesNotAccessMemory() && call->doesNotThrow() && !input_.has_adjoint(*call);
  }

  bool any_accesses_meet() {
    return any_of(enumerate(stores_), [&](const auto &entry) {
      const auto meets = [&](const Instruction *other) { return may_meet(*entry.value(), *other); };
      return any_of(loads_, meets) || any_of(drop_begin(stores_, entry.index()), meets);
    });
  }

  /// In different iterations.
  bool may_meet(const Instruction &store, const Instruction &other) {
    if (&store != &other && !input_.reloads.may_write(store, other))
      return false;
    if (const std::optional<unsigned> overlap = overlap_of(store, other, input_.restored)) {
      add_check(*overlap);
      return false;
    }
    return !input_.independence.never_meet_elsewhere(store, other, loop_);
  }

  const OrderIndependenceInput &input_;
  const Loop &loop_;
  SmallVector<const Instruction *, 8> loads_, stores_; ///< Those with adjoints.
  OrderIndependence result_;
};

} // namespace

OrderIndependentLoops find_order_independent_loops(const OrderIndependenceInput &input) {
  OrderIndependentLoops result;
  for (const auto &[loop, record] : input.control.loops)
    if (std::optional<OrderIndependence> order = OrderIndependenceFinder(input, *loop).run())
      result[loop] = std::move(*order);
  return result;
}

} // namespace assay::engine
