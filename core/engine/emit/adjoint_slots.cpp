#include "core/engine/emit/adjoint_slots.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_zero(const Instruction &write) {
  const auto *store = dyn_cast<StoreInst>(&write);
  const auto *value = store ? dyn_cast<Constant>(store->getValueOperand()) : nullptr;
  return value && value->isNullValue();
}

/// A slot, and what each block does with it.
class Slot {
public:
  explicit Slot(StoreInst &zero) : zero_(zero) {
    for (User *user : zero.getPointerOperand()->users())
      if (user != &zero)
        note(*cast<Instruction>(user));
    find_blocks_that_may_be_given_an_adjoint();
  }

  /// Puts zeros where the slot holds nothing and is used next, in place of the one at the start.
  void zero_late() {
    for (const auto &[block, uses] : uses_)
      if (!given_.contains(block) && isa<LoadInst>(uses.first))
        put_zero(uses.first->getIterator());
    SmallPtrSet<const BasicBlock *, 8> ended;
    for (BasicBlock *block : given_)
      for (BasicBlock *before : predecessors(block))
        if (holds_nothing_unsaid(*before) && ended.insert(before).second)
          put_zero(before->getTerminator()->getIterator());
    zero_.eraseFromParent();
  }

private:
  struct Uses {
    Instruction *first = nullptr;
    Instruction *last_write = nullptr;
  };

  void note(Instruction &user) {
    Uses &uses = uses_[user.getParent()];
    if (!uses.first || user.comesBefore(uses.first))
      uses.first = &user;
    if (!isa<LoadInst>(user) && (!uses.last_write || uses.last_write->comesBefore(&user)))
      uses.last_write = &user;
  }

  void find_blocks_that_may_be_given_an_adjoint() {
    for (const auto &[block, uses] : uses_)
      if (uses.last_write && !is_zero(*uses.last_write))
        reach_successors(*block);
    for (unsigned next = 0; next < given_.size(); ++next) // Grows.
      if (BasicBlock *block = given_[next]; !uses_.lookup(block).last_write)
        reach_successors(*block);
  }

  void reach_successors(const BasicBlock &block) {
    for (const BasicBlock *successor : successors(&block))
      given_.insert(const_cast<BasicBlock *>(successor));
  }

  /// At its end, where no store of the block says so.
  bool holds_nothing_unsaid(const BasicBlock &block) const {
    return !uses_.contains(&block) && !given_.contains(const_cast<BasicBlock *>(&block));
  }

  void put_zero(BasicBlock::iterator at) { zero_.clone()->insertBefore(at); }

  StoreInst &zero_;
  MapVector<const BasicBlock *, Uses> uses_;
  SmallSetVector<BasicBlock *, 16> given_; ///< Blocks at whose start the slot may hold an adjoint.
};

} // namespace

void zero_late(ArrayRef<StoreInst *> zeros) {
  for (StoreInst *zero : zeros)
    Slot(*zero).zero_late();
}

} // namespace assay::engine
