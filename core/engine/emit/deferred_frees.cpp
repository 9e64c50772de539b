#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The shadow, the function that releases it, and what that takes besides.
StructType *entry_type(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context);
  return StructType::get(pointer, pointer, Type::getInt64Ty(context));
}

std::uint64_t entry_size(const Module &module) {
  return module.getDataLayout().getTypeAllocSize(entry_type(module.getContext()));
}

FunctionType *procedure(LLVMContext &context, ArrayRef<Type *> parameters) {
  return FunctionType::get(Type::getVoidTy(context), parameters, false);
}

void write_bury(Function &function) {
  Module &module = *function.getParent();
  write_unless_null(function, [&](IRBuilder<> &builder) {
    Value *place =
        builder.CreateCall(tape_push_function(module), {function.getArg(0), builder.getInt64(entry_size(module))});
    StructType *type = entry_type(module.getContext());
    for (unsigned part : {0, 1, 2})
      builder.CreateStore(function.getArg(part + 1), builder.CreateStructGEP(type, place, part));
  });
}

using VisitEntry = function_ref<void(IRBuilder<> &, Value *memory, Value *release, Value *other)>;

/// for (at = from; at != end; ++at) visit what is noted at `at`; the builder goes on behind it.
void write_loop(IRBuilder<> &builder, Function &function, Value *from, VisitEntry visit) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  BasicBlock *entry = builder.GetInsertBlock();
  auto *loop = BasicBlock::Create(context, "loop", &function);
  auto *one = BasicBlock::Create(context, "one", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  Value *list = function.getArg(0);
  Value *end = builder.CreateLoad(builder.getInt64Ty(), builder.CreateStructGEP(tape_state_type(context), list, 2));
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), list);
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  PHINode *position = builder.CreatePHI(builder.getInt64Ty(), 2);
  position->addIncoming(from, entry);
  builder.CreateCondBr(builder.CreateICmpEQ(position, end), done, one);

  builder.SetInsertPoint(one);
  Value *place = builder.CreateInBoundsPtrAdd(buffer, position);
  StructType *type = entry_type(context);
  const auto part = [&](unsigned index) {
    return builder.CreateLoad(type->getElementType(index), builder.CreateStructGEP(type, place, index));
  };
  Value *memory = part(0), *release = part(1), *other = part(2);
  visit(builder, memory, release, other);
  position->addIncoming(builder.CreateAdd(position, builder.getInt64(entry_size(module)), "", true, true), one);
  builder.CreateBr(loop);
  builder.SetInsertPoint(done);
}

void release_entry(IRBuilder<> &builder, Value *memory, Value *release, Value *other) {
  builder.CreateCall(procedure(builder.getContext(), {memory->getType(), other->getType()}), release, {memory, other});
}

void write_release_buried(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  write_loop(builder, function, builder.getInt64(0), release_entry);
  builder.CreateCall(free_function(module), {builder.CreateLoad(builder.getPtrTy(), function.getArg(0))});
  builder.CreateRetVoid();
}

void write_move_buried(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  write_loop(builder, function, builder.getInt64(0),
             [&](IRBuilder<> &inside, Value *memory, Value *release, Value *other) {
               inside.CreateCall(bury_function(module), {function.getArg(1), memory, release, other});
             });
  builder.CreateCall(free_function(module), {builder.CreateLoad(builder.getPtrTy(), function.getArg(0))});
  builder.CreateRetVoid();
}

void write_unwind_cleanup_release(Function &function) {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  write_loop(builder, function, function.getArg(1), release_entry);
  builder.CreateStore(function.getArg(1), builder.CreateStructGEP(tape_state_type(context), function.getArg(0), 2));
  builder.CreateRetVoid();
  function.setDoesNotThrow();
}

Function *list_function(Module &module, StringRef name, ArrayRef<Type *> parameters,
                        function_ref<void(Function &)> write) {
  return own_function(module, (list_prefix + name).str(), procedure(module.getContext(), parameters), write);
}

} // namespace

Function *bury_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  Type *word = Type::getInt64Ty(module.getContext());
  return list_function(module, bury_name, {pointer, pointer, pointer, word}, write_bury);
}

Function *release_buried_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  return list_function(module, release_buried_name, {pointer}, write_release_buried);
}

Function *move_buried_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  return list_function(module, "move.buried", {pointer, pointer}, write_move_buried);
}

Function *unwind_cleanup_release_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  Type *word = Type::getInt64Ty(module.getContext());
  return list_function(module, "release.unwind.cleanups", {pointer, word}, write_unwind_cleanup_release);
}

} // namespace assay::engine
