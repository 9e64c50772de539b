#include "core/engine/prepare/stack_memory.hpp"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_restore(const Instruction &instruction) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore;
}

/// Where the memory of `allocation` ends: every restore of a stack that was saved before it, else every return.
SmallVector<Instruction *, 4> ends_of_life(const AllocaInst &allocation, ArrayRef<Instruction *> restores,
                                           ArrayRef<Instruction *> returns, const DominatorTree &dominators) {
  SmallVector<Instruction *, 4> ends;
  const auto add_if_dominated = [&](ArrayRef<Instruction *> places) {
    for (Instruction *place : places)
      if (dominators.dominates(&allocation, place))
        ends.push_back(place);
  };
  add_if_dominated(restores);
  if (ends.empty())
    add_if_dominated(returns);
  return ends;
}

CallInst *allocate(AllocaInst &allocation) {
  Module &module = *allocation.getModule();
  IRBuilder<> builder(&allocation);
  Type *word = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Value *element = builder.getInt64(module.getDataLayout().getTypeAllocSize(allocation.getAllocatedType()));
  Value *bytes = builder.CreateMul(builder.CreateZExtOrTrunc(allocation.getArraySize(), word), element);
  FunctionCallee malloc = module.getOrInsertFunction("malloc", FunctionType::get(pointer, {word}, false));
  CallInst *memory = builder.CreateCall(malloc, {bytes}, allocation.getName());
  memory->addRetAttr(Attribute::NoAlias);
  memory->setDebugLoc(allocation.getDebugLoc());
  return memory;
}

} // namespace

void move_dynamic_stack_to_heap(Function &function) {
  SmallVector<AllocaInst *, 4> allocations;
  SmallVector<Instruction *, 4> restores, returns;
  for (Instruction &instruction : instructions(function)) {
    if (auto *allocation = dyn_cast<AllocaInst>(&instruction); allocation && !isa<ConstantInt>(allocation->getArraySize()))
      allocations.push_back(allocation);
    else if (is_restore(instruction))
      restores.push_back(&instruction);
    else if (isa<ReturnInst>(instruction))
      returns.push_back(&instruction);
  }
  if (allocations.empty())
    return;
  const DominatorTree dominators(function);
  FunctionCallee free = function.getParent()->getOrInsertFunction(
      "free", FunctionType::get(Type::getVoidTy(function.getContext()), {PointerType::getUnqual(function.getContext())}, false));
  for (AllocaInst *allocation : allocations) {
    CallInst *memory = allocate(*allocation);
    for (Instruction *end : ends_of_life(*allocation, restores, returns, dominators))
      IRBuilder<>(end).CreateCall(free, {memory});
    allocation->replaceAllUsesWith(memory);
    allocation->eraseFromParent();
  }
  for (Instruction *restore : restores)
    restore->eraseFromParent();
}

} // namespace assay::engine
