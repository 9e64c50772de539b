#include "core/engine/emit/graveyard.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/request/convention_names.hpp"
#include "core/engine/rules/own_function.hpp"
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
  LLVMContext &context = module.getContext();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *note = BasicBlock::Create(context, "note", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), done, note);
  builder.SetInsertPoint(note);
  Value *place =
      builder.CreateCall(tape_push_function(module), {function.getArg(0), builder.getInt64(entry_size(module))});
  for (unsigned part : {0, 1, 2})
    builder.CreateStore(function.getArg(part + 1), builder.CreateStructGEP(entry_type(context), place, part));
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

/// for (at = from; at != end; ++at) release what is noted at `at`; the builder goes on behind it.
void write_release_loop(IRBuilder<> &builder, Function &function, Value *from) {
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
  builder.CreateCall(procedure(context, {type->getElementType(0), type->getElementType(2)}), part(1),
                     {part(0), part(2)});
  position->addIncoming(builder.CreateAdd(position, builder.getInt64(entry_size(module)), "", true, true), one);
  builder.CreateBr(loop);
  builder.SetInsertPoint(done);
}

void write_release_buried(Function &function) {
  Module &module = *function.getParent();
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  write_release_loop(builder, function, builder.getInt64(0));
  builder.CreateCall(free_function(module), {builder.CreateLoad(builder.getPtrTy(), function.getArg(0))});
  builder.CreateRetVoid();
}

void write_release_pledged(Function &function) {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  write_release_loop(builder, function, function.getArg(1));
  builder.CreateStore(function.getArg(1), builder.CreateStructGEP(tape_state_type(context), function.getArg(0), 2));
  builder.CreateRetVoid();
  function.setDoesNotThrow();
}

} // namespace

Function *bury_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  Type *word = Type::getInt64Ty(module.getContext());
  return own_function(module, "assay.bury", procedure(module.getContext(), {pointer, pointer, pointer, word}),
                      write_bury);
}

Function *release_buried_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  return own_function(module, "assay.release.buried", procedure(module.getContext(), {pointer}), write_release_buried);
}

Function *release_pledged_function(Module &module) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  Type *word = Type::getInt64Ty(module.getContext());
  return own_function(module, (primal_prefix + "release.pledged").str(),
                      procedure(module.getContext(), {pointer, word}), write_release_pledged);
}

} // namespace assay::engine
