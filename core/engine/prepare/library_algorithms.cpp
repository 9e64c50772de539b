#include "core/engine/prepare/library_algorithms.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

FunctionCallee declared(Module &module, StringRef name, Type *result, ArrayRef<Type *> parameters) {
  return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

Value *allocate(IRBuilder<> &builder, Module &module, Value *bytes) {
  CallInst *memory = builder.CreateCall(malloc_function(module), {bytes});
  memory->addRetAttr(Attribute::NoAlias);
  return memory;
}

void release(IRBuilder<> &builder, Module &module, Value *memory) {
  builder.CreateCall(free_function(module), {memory});
}

/// for (i = 0; i < count; ++i) body(i)
void count_to(IRBuilder<> &builder, Value *count, function_ref<void(Value *)> body) {
  BasicBlock *before = builder.GetInsertBlock();
  Function *function = before->getParent();
  auto *head = BasicBlock::Create(builder.getContext(), "head", function);
  auto *inside = BasicBlock::Create(builder.getContext(), "inside", function);
  auto *after = BasicBlock::Create(builder.getContext(), "after", function);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2);
  index->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpULT(index, count), inside, after);
  builder.SetInsertPoint(inside);
  body(index);
  index->addIncoming(builder.CreateAdd(index, builder.getInt64(1), "", true, true), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(after);
}

Value *element(IRBuilder<> &builder, Value *base, Value *index, Value *size) {
  return builder.CreatePtrAdd(base, builder.CreateMul(index, size));
}

/// order(base, count, size, compare, ...), with the parameters of `sort`: where each element of the sorted array stood.
/// Elements are sorted with their numbers behind them, which the comparator does not see. The name says that it carries
/// no derivative.
Function *sorting_order(Module &module, const Function &sort) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  auto *type = FunctionType::get(pointer, sort.getFunctionType()->params(), false);
  return own_function(module, ("assay.primal.sorting_order." + sort.getName()).str(), type, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline);
    Argument *base = function.getArg(0), *count = function.getArg(1), *size = function.getArg(2);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    Value *number_at = builder.CreateAnd(builder.CreateAdd(size, builder.getInt64(7)), builder.getInt64(~7ULL));
    Value *stride = builder.CreateAdd(number_at, builder.getInt64(16));
    stride = builder.CreateAnd(stride, builder.getInt64(~15ULL));
    Value *tagged = allocate(builder, module, builder.CreateMul(count, stride));
    Value *order = allocate(builder, module, builder.CreateMul(count, builder.getInt64(8)));
    count_to(builder, count, [&](Value *index) {
      Value *place = element(builder, tagged, index, stride);
      builder.CreateMemCpy(place, Align(1), element(builder, base, index, size), Align(1), size);
      builder.CreateStore(index, builder.CreatePtrAdd(place, number_at));
    });
    SmallVector<Value *, 5> arguments{tagged, count, stride};
    for (Argument &argument : drop_begin(function.args(), arguments.size()))
      arguments.push_back(&argument);
    builder.CreateCall(declared(module, sort.getName(), builder.getVoidTy(), type->params()), arguments);
    count_to(builder, count, [&](Value *index) {
      Value *place = builder.CreatePtrAdd(element(builder, tagged, index, stride), number_at);
      builder.CreateStore(builder.CreateLoad(word, place), element(builder, order, index, builder.getInt64(8)));
    });
    release(builder, module, tagged);
    builder.CreateRet(order);
  });
}

/// index(key, base, count, size, compare) of the element that is found, or -1. An offset would not tell that it is one
/// of a whole element.
Function *search_index(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  auto *type = FunctionType::get(word, {pointer, pointer, word, word, pointer}, false);
  return own_function(module, "assay.primal.search_index", type, [&](Function &function) {
    function.addFnAttr(Attribute::NoInline);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    SmallVector<Value *, 5> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    Value *found =
        builder.CreateCall(declared(module, "bsearch", pointer, {pointer, pointer, word, word, pointer}), arguments);
    Value *offset =
        builder.CreateSub(builder.CreatePtrToInt(found, word), builder.CreatePtrToInt(function.getArg(1), word));
    Value *index = builder.CreateSDiv(offset, function.getArg(3));
    builder.CreateRet(builder.CreateSelect(builder.CreateIsNull(found), builder.getInt64(-1), index));
  });
}

/// rearrange(base, count, size, order): the elements are put in that order.
Function *rearrangement(Module &module) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *word = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, word, word, pointer}, false);
  return own_function(module, "assay.rearrange", type, [&](Function &function) {
    Argument *base = function.getArg(0), *count = function.getArg(1), *size = function.getArg(2);
    IRBuilder<> builder(BasicBlock::Create(context, "", &function));
    Value *bytes = builder.CreateMul(count, size);
    Value *copy = allocate(builder, module, bytes);
    builder.CreateMemCpy(copy, Align(1), base, Align(1), bytes);
    count_to(builder, count, [&](Value *index) {
      Value *from = builder.CreateLoad(word, element(builder, function.getArg(3), index, builder.getInt64(8)));
      builder.CreateMemCpy(element(builder, base, index, size), Align(1), element(builder, copy, from, size), Align(1),
                           size);
    });
    release(builder, module, copy);
    builder.CreateRetVoid();
  });
}

} // namespace

bool expand_qsort(CallInst &call) {
  Module &module = *call.getModule();
  IRBuilder<> builder(&call);
  const SmallVector<Value *, 5> arguments(call.args());
  Value *order = builder.CreateCall(sorting_order(module, *call.getCalledFunction()), arguments);
  builder.CreateCall(rearrangement(module), {arguments[0], arguments[1], arguments[2], order});
  release(builder, module, order);
  return true;
}

bool expand_bsearch(CallInst &call) {
  IRBuilder<> builder(&call);
  const SmallVector<Value *, 5> arguments(call.args());
  Value *index = builder.CreateCall(search_index(*call.getModule()), arguments);
  Value *found = element(builder, arguments[1], index, arguments[3]);
  Value *missing = builder.CreateICmpSLT(index, builder.getInt64(0));
  call.replaceAllUsesWith(builder.CreateSelect(missing, ConstantPointerNull::get(builder.getPtrTy()), found));
  return true;
}

} // namespace assay::engine
