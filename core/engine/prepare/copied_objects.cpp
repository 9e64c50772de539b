#include "core/engine/prepare/copied_objects.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_copied_object(const Argument &argument) {
  return argument.getParent()->getAttributes().hasParamAttr(argument.getArgNo(), copied_object_attribute);
}

/// Joins that the address of the object takes part in, also with constant distances.
SmallSetVector<PHINode *, 4> joins_of(Argument &object) {
  SmallSetVector<PHINode *, 4> joins;
  SmallSetVector<Value *, 8> addresses;
  addresses.insert(&object);
  for (unsigned next = 0; next < addresses.size(); ++next)
    for (User *user : addresses[next]->users()) {
      if (isa<GetElementPtrInst>(user))
        addresses.insert(user);
      if (auto *join = dyn_cast<PHINode>(user))
        joins.insert(join);
    }
  return joins;
}

/// Where the block of the join begins, before anything there writes to memory.
bool reads_first(const LoadInst &load, const PHINode &join) {
  if (load.getParent() != join.getParent() || !load.isSimple())
    return false;
  return none_of(make_range(join.getIterator(), load.getIterator()), [](const Instruction &before) {
    return before.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&before);
  });
}

void separate(LoadInst &load, PHINode &join) {
  PHINode *numbers = PHINode::Create(load.getType(), join.getNumIncomingValues(), "", join.getIterator());
  for (unsigned index = 0; index < join.getNumIncomingValues(); ++index) {
    BasicBlock *block = join.getIncomingBlock(index);
    const int known = numbers->getBasicBlockIndex(block);
    Value *number = known >= 0 ? numbers->getIncomingValue(unsigned(known)) : nullptr;
    if (!number) {
      auto *one = cast<LoadInst>(load.clone());
      one->setOperand(0, join.getIncomingValue(index));
      one->insertBefore(block->getTerminator()->getIterator());
      number = one;
    }
    numbers->addIncoming(number, block);
  }
  numbers->takeName(&load);
  load.replaceAllUsesWith(numbers);
  load.eraseFromParent();
}

/// Else a load would be made on paths that do not come here.
void split_incoming_edges(PHINode &join) {
  BasicBlock *block = join.getParent();
  for (BasicBlock *from : SmallVector<BasicBlock *, 4>(predecessors(block)))
    if (from->getTerminator()->getNumSuccessors() > 1)
      SplitEdge(from, block);
}

bool separate_loads(PHINode &join) {
  SmallVector<LoadInst *, 4> loads;
  for (User *user : join.users()) {
    auto *load = dyn_cast<LoadInst>(user);
    if (!load || !reads_first(*load, join))
      return false;
    loads.push_back(load);
  }
  if (loads.empty())
    return false;
  split_incoming_edges(join);
  for (LoadInst *load : loads)
    separate(*load, join);
  join.eraseFromParent();
  return true;
}

} // namespace

bool separate_copied_objects(Function &function) {
  bool changed = false;
  for (Argument &argument : function.args())
    if (is_copied_object(argument))
      for (PHINode *join : joins_of(argument))
        changed |= separate_loads(*join);
  return changed;
}

} // namespace assay::engine
