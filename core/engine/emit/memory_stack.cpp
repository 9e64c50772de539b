#include "core/engine/emit/memory_stack.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "core/engine/support/memory_stack_calls.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t frame_bytes = 4096; // of the stack frame, before any memory is allocated
constexpr Align frame_alignment = Align::Constant<16>();

void set_family(Function &function, AllocFnKind kind, MemoryEffects effects) {
  LLVMContext &context = function.getContext();
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::WillReturn);
  function.addFnAttr(Attribute::getWithAllocKind(context, kind));
  function.addFnAttr("alloc-family", stack_take_name);
  function.setMemoryEffects(effects);
}

FunctionCallee releasing_function(Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::getUnqual(context)}, false);
  return own_function(module, name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    builder.CreateCall(free_function(module), {function.getArg(0)});
    builder.CreateRetVoid();
    set_family(function, AllocFnKind::Free, MemoryEffects::inaccessibleOrArgMemOnly());
    function.addParamAttr(0, Attribute::AllocatedPointer);
  });
}

/// { piece, used, size, start } of memory_stack.c, with the function's own frame as the first piece.
AllocaInst *make_stack(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  Type *word = builder.getInt64Ty();
  auto *type = StructType::get(builder.getPtrTy(), word, word, word);
  AllocaInst *stack = builder.CreateAlloca(type, nullptr, "stack");
  AllocaInst *frame = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), frame_bytes), nullptr, "stack.frame");
  frame->setAlignment(frame_alignment);
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(frame, stack);
  const std::uint64_t words[] = {0, frame_bytes, 0};
  for (auto [index, value] : enumerate(words))
    builder.CreateStore(builder.getInt64(value), builder.CreateStructGEP(type, stack, unsigned(index) + 1));
  return stack;
}

void lower(Function &function, ArrayRef<CallInst *> calls) {
  Module &module = *function.getParent();
  Function *take = library_helper(module, "assay.stack.take.from"),
           *give = library_helper(module, "assay.stack.give.to"), *end = library_helper(module, "assay.stack.end");
  AllocaInst *stack = make_stack(function);
  for (CallInst *call : calls) {
    const StringRef name = call->getCalledFunction()->getName();
    if (name == stack_leave_name)
      call->eraseFromParent();
    else
      replace_stack_call(*call, name == stack_take_name ? take : give, {stack, call->getArgOperand(0)});
  }
  for (BasicBlock &block : function)
    if (isa<ReturnInst, ResumeInst>(block.getTerminator()))
      IRBuilder<>(block.getTerminator()).CreateCall(end, {stack});
}

} // namespace

FunctionCallee stack_take_function(Module &module) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(PointerType::getUnqual(context), {Type::getInt64Ty(context)}, false);
  return own_function(module, stack_take_name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    builder.CreateRet(builder.CreateCall(malloc_function(module), {function.getArg(0)}));
    set_family(function, AllocFnKind::Alloc | AllocFnKind::Uninitialized, MemoryEffects::inaccessibleMemOnly());
    function.addFnAttr(Attribute::getWithAllocSizeArgs(context, 0, std::nullopt));
    function.addRetAttr(Attribute::NoAlias);
    function.addRetAttr(Attribute::getWithAlignment(context, frame_alignment));
  });
}

FunctionCallee stack_give_function(Module &module) {
  return releasing_function(module, stack_give_name);
}

FunctionCallee stack_leave_function(Module &module) {
  return releasing_function(module, stack_leave_name);
}

void lower_memory_stacks(Module &module) {
  if (!module.getFunction(stack_take_name))
    return;
  for (Function &function : module)
    if (const SmallVector<CallInst *, 16> calls = stack_calls(function); !calls.empty())
      lower(function, calls);
  for (StringRef name : {stack_take_name, stack_give_name, stack_leave_name})
    if (Function *function = module.getFunction(name); function && function->use_empty())
      function->eraseFromParent();
}

} // namespace assay::engine
