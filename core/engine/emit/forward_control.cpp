// Control flow in forward mode: it is the primal's. Only phi nodes and returns carry lanes.
#include "core/engine/emit/forward_emitter.hpp"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {

void ForwardEmitter::set_position_after(Instruction &original) {
  auto *copy = cast<Instruction>(primal(original));
  if (auto *invoke = dyn_cast<InvokeInst>(copy)) {
    BasicBlock *normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor())
      normal = SplitEdge(invoke->getParent(), normal);
    builder_.SetInsertPoint(normal, normal->getFirstInsertionPt());
  } else if (isa<PHINode>(copy)) {
    builder_.SetInsertPoint(copy->getParent(), copy->getParent()->getFirstInsertionPt());
  } else {
    builder_.SetInsertPoint(copy->getParent(), std::next(copy->getIterator()));
  }
  builder_.SetCurrentDebugLocation(copy->getDebugLoc());
}

void ForwardEmitter::place_phi(PHINode &original) {
  if (!needs_lanes(original))
    return;
  if (is_packed_.contains(&original) || interleaved_.contains(original)) {
    place_packed_phi(original);
    return;
  }
  builder_.SetInsertPoint(cast<PHINode>(primal(original)));
  Lanes values;
  for (unsigned lane = 0; lane < request_.width; ++lane)
    values.push_back(builder_.CreatePHI(original.getType(), original.getNumIncomingValues()));
  set_lanes(original, values);
  phis_.push_back(&original);
}

/// Incoming blocks are taken from the copy: emission may have split edges, which keeps their order.
void ForwardEmitter::fill_phis() {
  for (PHINode *original : phis_) {
    auto *copy = cast<PHINode>(primal(*original));
    const Lanes &phis = lanes_[original];
    for (unsigned index = 0; index < original->getNumIncomingValues(); ++index) {
      BasicBlock *block = copy->getIncomingBlock(index);
      builder_.SetInsertPoint(block->getTerminator());
      const Lanes incoming = lanes(*original->getIncomingValue(index));
      for (unsigned lane = 0; lane < request_.width; ++lane)
        cast<PHINode>(phis[lane])->addIncoming(incoming[lane], block);
    }
  }
}

void ForwardEmitter::emit_return(ReturnInst &original) {
  auto *copy = cast<ReturnInst>(primal(original));
  builder_.SetInsertPoint(copy);
  Type *type = abi_.type()->getReturnType();
  if (type->isVoidTy()) {
    builder_.CreateRetVoid();
    copy->eraseFromParent();
    return;
  }
  Value *result = PoisonValue::get(type);
  Value *returned = original.getReturnValue();
  if (auto index = abi_.primal_result())
    result = builder_.CreateInsertValue(result, primal(*returned), *index);
  if (abi_.shadow_result(0)) {
    const Lanes values = lanes(*returned);
    for (unsigned lane = 0; lane < request_.width; ++lane)
      result = builder_.CreateInsertValue(result, values[lane], *abi_.shadow_result(lane));
  }
  builder_.CreateRet(result);
  copy->eraseFromParent();
}

} // namespace assay::engine
