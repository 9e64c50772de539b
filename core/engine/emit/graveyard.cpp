#include "core/engine/emit/graveyard.hpp"
#include "core/engine/emit/tape_helpers.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr std::uint64_t entry_size = 16; // the shadow and the function that releases it

FunctionType *taking_pointers(LLVMContext &context, unsigned count) {
  const SmallVector<Type *, 3> parameters(count, PointerType::getUnqual(context));
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
  Value *place = builder.CreateCall(tape_push_function(module), {function.getArg(0), builder.getInt64(entry_size)});
  builder.CreateStore(function.getArg(1), place);
  builder.CreateStore(function.getArg(2), builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), place, 1));
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

void write_release_buried(Function &function) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *loop = BasicBlock::Create(context, "loop", &function);
  auto *one = BasicBlock::Create(context, "one", &function);
  auto *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  Value *list = function.getArg(0);
  Value *end = builder.CreateLoad(builder.getInt64Ty(), builder.CreateStructGEP(tape_state_type(context), list, 2));
  Value *buffer = builder.CreateLoad(builder.getPtrTy(), list);
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  PHINode *position = builder.CreatePHI(builder.getInt64Ty(), 2);
  position->addIncoming(builder.getInt64(0), entry);
  builder.CreateCondBr(builder.CreateICmpEQ(position, end), done, one);

  builder.SetInsertPoint(one);
  Value *place = builder.CreateInBoundsPtrAdd(buffer, position);
  Value *shadow = builder.CreateLoad(builder.getPtrTy(), place);
  Value *release =
      builder.CreateLoad(builder.getPtrTy(), builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), place, 1));
  builder.CreateCall(FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false), release, {shadow});
  position->addIncoming(builder.CreateAdd(position, builder.getInt64(entry_size), "", true, true), one);
  builder.CreateBr(loop);

  builder.SetInsertPoint(done);
  builder.CreateCall(free_function(module), {buffer});
  builder.CreateRetVoid();
}

} // namespace

Function *bury_function(Module &module) {
  return own_function(module, "assay.bury", taking_pointers(module.getContext(), 3), write_bury);
}

Function *release_buried_function(Module &module) {
  return own_function(module, "assay.release.buried", taking_pointers(module.getContext(), 1), write_release_buried);
}

} // namespace assay::engine
