#include "core/engine/support/memory_stack_calls.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace assay::engine {

SmallVector<CallInst *, 16> stack_calls(Function &function) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && (callee->getName() == stack_take_name || callee->getName() == stack_give_name ||
                   callee->getName() == stack_leave_name))
      calls.push_back(call);
  }
  return calls;
}

void replace_stack_call(CallInst &call, FunctionCallee callee, ArrayRef<Value *> arguments) {
  IRBuilder<> builder(&call);
  CallInst *replacement = builder.CreateCall(callee, arguments);
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->takeName(&call);
  if (call.getType()->isPointerTy())
    replacement->addRetAttr(Attribute::NoAlias);
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

/// On the heap a word of a tape lies behind the one before.
static void replace_by_heap_stride(CallInst &call) {
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), tape_word_bytes));
  call.eraseFromParent();
}

/// Calls that stand for memory of tapes in code of a device.
static void replace_tape_calls(Function &clone) {
  Module &module = *clone.getParent();
  for (Instruction &instruction : make_early_inc_range(instructions(clone))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    if (callee->getName() == tape_take_name || callee->getName() == tape_take_words_name)
      replace_stack_call(*call, malloc_function(module), {call->getArgOperand(0)});
    else if (callee->getName() == tape_leave_name)
      replace_stack_call(*call, free_function(module), {call->getArgOperand(0)});
    else if (callee->getName() == tape_grow_name || callee->getName() == tape_grow_words_name)
      call->setCalledFunction(module.getFunction(tape_grow_on_heap_name));
    else if (callee->getName() == tape_stride_name)
      replace_by_heap_stride(*call);
  }
}

void drop_pool_scope(CallInst &enter) {
  for (User *exit : make_early_inc_range(enter.users()))
    cast<Instruction>(exit)->eraseFromParent();
  enter.eraseFromParent();
}

/// Steps that differentiate each for themselves.
static void expand_pool_growth(CallInst &call) {
  Module &module = *call.getModule();
  Value *memory = call.getArgOperand(0), *old_bytes = call.getArgOperand(1), *bytes = call.getArgOperand(2);
  IRBuilder<> builder(&call);
  CallInst *larger = builder.CreateCall(module.getFunction(pool_take_name), {bytes});
  larger->addRetAttr(Attribute::NoAlias);
  builder.CreateMemCpy(larger, Align(8), memory, Align(8), old_bytes);
  builder.CreateCall(module.getFunction(pool_leave_name), {memory});
  larger->takeName(&call);
  call.replaceAllUsesWith(larger);
  call.eraseFromParent();
}

/// Taking and leaving are an allocation and a release of the library table.
static void simplify_pool_calls(Function &clone) {
  SmallVector<CallInst *, 1> scopes;
  for (Instruction &instruction : make_early_inc_range(instructions(clone))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    if (callee->getName() == pool_grow_name)
      expand_pool_growth(*call);
    else if (callee->getName() == pool_enter_name)
      scopes.push_back(call);
  }
  for (CallInst *enter : scopes)
    drop_pool_scope(*enter);
}

void replace_memory_stack(Function &clone) {
  Module &module = *clone.getParent();
  replace_tape_calls(clone);
  simplify_pool_calls(clone);
  for (CallInst *call : stack_calls(clone))
    replace_stack_call(*call, call->getType()->isPointerTy() ? malloc_function(module) : free_function(module),
                       {call->getArgOperand(0)});
}

} // namespace assay::engine
