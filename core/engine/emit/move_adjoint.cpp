#include "core/engine/emit/move_adjoint.hpp"
#include "core/engine/emit/device_adds.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// for (i = 0; i < count; ++i) { element = ascending ? i : count - 1 - i; ... }
void emit_loop(Function &function, IRBuilder<> &builder, Type *element, Value *count, BasicBlock *done,
               Overlap direction, AdjointAdd add) {
  LLVMContext &context = function.getContext();
  BasicBlock *before = builder.GetInsertBlock();
  auto *loop = BasicBlock::Create(context, "loop", &function);
  builder.CreateCondBr(builder.CreateIsNull(count), done, loop);
  builder.SetInsertPoint(loop);
  PHINode *step = builder.CreatePHI(builder.getInt64Ty(), 2);
  step->addIncoming(builder.getInt64(0), before);
  Value *next = builder.CreateAdd(step, builder.getInt64(1), "", true, true);
  Value *index =
      direction == Overlap::none ? static_cast<Value *>(step) : builder.CreateSub(count, next, "", true, true);
  Value *target = builder.CreateInBoundsGEP(element, function.getArg(0), index);
  Value *source = builder.CreateInBoundsGEP(element, function.getArg(1), index);
  const Align alignment = least_alignment(*function.getParent(), element);
  Value *adjoint = builder.CreateAlignedLoad(element, target, alignment);
  builder.CreateAlignedStore(Constant::getNullValue(element), target, alignment);
  if (add == AdjointAdd::plain) {
    Value *sum = builder.CreateFAdd(builder.CreateAlignedLoad(element, source, alignment), adjoint);
    builder.CreateAlignedStore(sum, source, alignment);
  } else {
    add_atomically(builder, source, adjoint, add, LaneAddresses::apart);
  }
  step->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), done, loop);
}

void write_move_adjoint(Function &function, Type *element, Overlap overlap, AdjointAdd add) {
  LLVMContext &context = function.getContext();
  if (overlap == Overlap::none)
    for (unsigned index : {0u, 1u})
      function.addParamAttr(index, Attribute::NoAlias);

  IRBuilder<> builder(BasicBlock::Create(context, "", &function));
  const std::uint64_t size = function.getDataLayout().getTypeAllocSize(element);
  Value *count = builder.CreateUDiv(function.getArg(2), builder.getInt64(size));
  auto *done = BasicBlock::Create(context, "done", &function);
  if (overlap == Overlap::none) {
    emit_loop(function, builder, element, count, done, Overlap::none, add);
  } else {
    auto *up = BasicBlock::Create(context, "up", &function);
    auto *down = BasicBlock::Create(context, "down", &function);
    builder.CreateCondBr(builder.CreateICmpUGE(function.getArg(0), function.getArg(1)), up, down);
    builder.SetInsertPoint(up);
    emit_loop(function, builder, element, count, done, Overlap::none, add);
    builder.SetInsertPoint(down);
    emit_loop(function, builder, element, count, done, Overlap::possible, add);
  }
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

} // namespace

Function *move_adjoint_function(Module &module, Type *element, Overlap overlap, AdjointAdd add) {
  std::string name = overlap == Overlap::none ? "assay.copy.adjoint." : "assay.move.adjoint.";
  if (add != AdjointAdd::plain)
    name += (name_of(add) + ".").str();
  raw_string_ostream(name) << *element;
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, Type::getInt64Ty(context)}, false);
  return own_function(module, name, type,
                      [&](Function &function) { write_move_adjoint(function, element, overlap, add); });
}

} // namespace assay::engine
