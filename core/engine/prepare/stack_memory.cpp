#include "core/engine/prepare/stack_memory.hpp"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_intrinsic(const Value *value, Intrinsic::ID id) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(value);
  return intrinsic && intrinsic->getIntrinsicID() == id;
}

/// The save whose stack `restore` brings back; without optimisation it went through a stack slot of its own.
const Instruction *save_of(const Instruction &restore) {
  const Value *token = restore.getOperand(0);
  if (auto *load = dyn_cast<LoadInst>(token))
    for (const User *user : load->getPointerOperand()->users())
      if (auto *store = dyn_cast<StoreInst>(user))
        token = store->getValueOperand();
  return is_intrinsic(token, Intrinsic::stacksave) ? cast<Instruction>(token) : nullptr;
}

/// The innermost scope around `allocation`: the last save before it.
const Instruction *scope_of(const AllocaInst &allocation, ArrayRef<Instruction *> restores,
                            const DominatorTree &dominators) {
  const Instruction *innermost = nullptr;
  for (const Instruction *restore : restores)
    if (const Instruction *save = save_of(*restore); save && dominators.dominates(save, &allocation))
      if (!innermost || dominators.dominates(innermost, save))
        innermost = save;
  return innermost;
}

/// Where the memory of `allocation` ends: the restores of its scope, else every return.
SmallVector<Instruction *, 4> ends_of_life(const AllocaInst &allocation, ArrayRef<Instruction *> restores,
                                           ArrayRef<Instruction *> returns, const DominatorTree &dominators) {
  const Instruction *scope = scope_of(allocation, restores, dominators);
  SmallVector<Instruction *, 4> ends;
  for (Instruction *place : scope ? restores : returns)
    if (dominators.dominates(&allocation, place) && (!scope || save_of(*place) == scope))
      ends.push_back(place);
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
    if (auto *allocation = dyn_cast<AllocaInst>(&instruction);
        allocation && !isa<ConstantInt>(allocation->getArraySize()))
      allocations.push_back(allocation);
    else if (is_intrinsic(&instruction, Intrinsic::stackrestore))
      restores.push_back(&instruction);
    else if (isa<ReturnInst>(instruction))
      returns.push_back(&instruction);
  }
  if (allocations.empty())
    return;
  const DominatorTree dominators(function);
  FunctionCallee free = function.getParent()->getOrInsertFunction(
      "free", FunctionType::get(Type::getVoidTy(function.getContext()), {PointerType::getUnqual(function.getContext())},
                                false));
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
