#include "core/engine/prepare/stack_memory.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/LoopInfo.h"
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

/// Where each piece of memory that `allocation` makes ends, once for each: the restores of its scope, else the returns.
/// Nothing when there is no such place.
SmallVector<Instruction *, 4> ends_of_life(const AllocaInst &allocation, const Instruction *scope,
                                           ArrayRef<Instruction *> restores, ArrayRef<Instruction *> returns,
                                           const DominatorTree &dominators) {
  SmallVector<Instruction *, 4> ends;
  for (Instruction *place : scope ? restores : returns) {
    if (scope ? save_of(*place) != scope : !dominators.isReachableFromEntry(place->getParent()))
      continue;
    if (!dominators.dominates(&allocation, place))
      return {};
    ends.push_back(place);
  }
  return ends;
}

/// True when `allocation` runs once for each time that its scope, or the function, is entered.
bool runs_once(const AllocaInst &allocation, const Instruction *scope, const LoopInfo &loops) {
  const Loop *around = scope ? loops.getLoopFor(scope->getParent()) : nullptr;
  return loops.getLoopFor(allocation.getParent()) == around;
}

constexpr Align malloc_alignment = Align::Constant<16>();

CallInst *allocate(AllocaInst &allocation) {
  Module &module = *allocation.getModule();
  IRBuilder<> builder(&allocation);
  Type *word = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Value *element = builder.getInt64(module.getDataLayout().getTypeAllocSize(allocation.getAllocatedType()));
  Value *bytes = builder.CreateMul(builder.CreateZExtOrTrunc(allocation.getArraySize(), word), element);
  const Align alignment = allocation.getAlign();
  CallInst *memory = nullptr;
  if (alignment <= malloc_alignment) {
    memory = builder.CreateCall(malloc_function(module), {bytes}, allocation.getName());
  } else {
    FunctionCallee aligned = module.getOrInsertFunction("memalign", FunctionType::get(pointer, {word, word}, false));
    memory = builder.CreateCall(aligned, {builder.getInt64(alignment.value()), bytes}, allocation.getName());
  }
  memory->addRetAttr(Attribute::NoAlias);
  memory->setDebugLoc(allocation.getDebugLoc());
  return memory;
}

} // namespace

namespace {

struct DynamicStack {
  SmallVector<AllocaInst *, 4> allocations;
  SmallVector<Instruction *, 4> restores, returns;
};

DynamicStack dynamic_stack(Function &function) {
  DynamicStack stack;
  for (Instruction &instruction : instructions(function)) {
    if (auto *allocation = dyn_cast<AllocaInst>(&instruction); allocation && !allocation->isStaticAlloca())
      stack.allocations.push_back(allocation);
    else if (is_intrinsic(&instruction, Intrinsic::stackrestore))
      stack.restores.push_back(&instruction);
    else if (isa<ReturnInst>(instruction))
      stack.returns.push_back(&instruction);
  }
  return stack;
}

constexpr const char *stack_attribute = "assay.stack";

} // namespace

void move_dynamic_stack_to_heap(Function &function) {
  const DynamicStack stack = dynamic_stack(function);
  if (stack.allocations.empty())
    return;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const FunctionCallee free = free_function(*function.getParent());
  for (AllocaInst *allocation : stack.allocations) {
    const Instruction *scope = scope_of(*allocation, stack.restores, dominators);
    const SmallVector<Instruction *, 4> ends =
        ends_of_life(*allocation, scope, stack.restores, stack.returns, dominators);
    CallInst *memory = allocate(*allocation);
    if (ends.empty() || !runs_once(*allocation, scope, loops))
      memory->addFnAttr(Attribute::get(function.getContext(), stack_attribute));
    else
      for (Instruction *end : ends)
        IRBuilder<>(end).CreateCall(free, {memory});
    allocation->replaceAllUsesWith(memory);
    allocation->eraseFromParent();
  }
  for (Instruction *restore : stack.restores)
    restore->eraseFromParent();
}

bool is_stack_memory(const CallBase &allocation) {
  return allocation.hasFnAttr(stack_attribute);
}

bool keeps_stack_memory(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && is_stack_memory(*call);
  });
}

void return_to_stack(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !is_stack_memory(*call))
      continue;
    IRBuilder<> builder(call);
    const bool aligned = call->arg_size() == 2;
    AllocaInst *memory = builder.CreateAlloca(builder.getInt8Ty(), call->getArgOperand(aligned ? 1 : 0));
    memory->setAlignment(aligned ? cast<ConstantInt>(call->getArgOperand(0))->getAlignValue() : malloc_alignment);
    memory->takeName(call);
    call->replaceAllUsesWith(memory);
    call->eraseFromParent();
  }
}

void forget_stack_memory(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      call->removeFnAttr(stack_attribute);
}

} // namespace assay::engine
