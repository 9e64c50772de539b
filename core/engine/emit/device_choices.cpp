#include "core/engine/emit/device_choices.hpp"
#include "core/engine/rules/own_function.hpp"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

SyncScope::ID device_scope(IRBuilderBase &builder) {
  return builder.getContext().getOrInsertSyncScopeID("device");
}

Type *bits_of(Type *number) {
  return IntegerType::get(number->getContext(), number->getPrimitiveSizeInBits());
}

Align alignment_of(IRBuilderBase &builder, Type *number) {
  return builder.GetInsertBlock()->getDataLayout().getABITypeAlign(number);
}

Value *load_bits(IRBuilderBase &builder, Value *place, Type *number) {
  LoadInst *load = builder.CreateAlignedLoad(bits_of(number), place, alignment_of(builder, number));
  load->setAtomic(AtomicOrdering::Monotonic, device_scope(builder));
  return load;
}

Value *holds(IRBuilderBase &builder, Value *place, Value *number) {
  Value *bits = load_bits(builder, place, number->getType());
  return builder.CreateFCmpOEQ(builder.CreateBitCast(bits, number->getType()), number);
}

void write_take(Function &function) {
  LLVMContext &context = function.getContext();
  Value *place = function.getArg(0), *shadow = function.getArg(1), *number = function.getArg(2);
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *chosen = BasicBlock::Create(context, "chosen", &function);
  auto *end = BasicBlock::Create(context, "end", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(holds(builder, place, number), chosen, end);
  builder.SetInsertPoint(chosen);
  Value *taken = exchange_number(builder, shadow, Constant::getNullValue(number->getType()));
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  PHINode *adjoint = builder.CreatePHI(number->getType(), 2);
  adjoint->addIncoming(Constant::getNullValue(number->getType()), entry);
  adjoint->addIncoming(taken, chosen);
  builder.CreateRet(adjoint);
}

void write_settle(Function &function) {
  LLVMContext &context = function.getContext();
  Value *place = function.getArg(0), *shadow = function.getArg(1), *number = function.getArg(2);
  Type *type = number->getType();
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *ask = BasicBlock::Create(context, "ask", &function);
  auto *chosen = BasicBlock::Create(context, "chosen", &function);
  auto *end = BasicBlock::Create(context, "end", &function);
  IRBuilder<> builder(entry);
  Value *tangent = builder.CreateBitCast(function.getArg(3), bits_of(type));
  builder.CreateBr(ask);
  builder.SetInsertPoint(ask);
  Value *seen = load_bits(builder, shadow, type);
  builder.CreateCondBr(holds(builder, place, number), chosen, end);
  builder.SetInsertPoint(chosen);
  Value *pair =
      builder.CreateAtomicCmpXchg(shadow, seen, tangent, alignment_of(builder, type), AtomicOrdering::Monotonic,
                                  AtomicOrdering::Monotonic, device_scope(builder));
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), end, ask);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
}

Function *own(IRBuilderBase &builder, StringRef action, Type *result, ArrayRef<Value *> arguments,
              function_ref<void(Function &)> write) {
  SmallVector<Type *, 4> types;
  std::string name = "assay.device." + action.str();
  raw_string_ostream stream(name);
  for (Value *argument : arguments) {
    types.push_back(argument->getType());
    stream << '.' << *argument->getType();
  }
  return own_function(*builder.GetInsertBlock()->getModule(), name, FunctionType::get(result, types, false),
                      [&](Function &function) {
                        function.addFnAttr(Attribute::AlwaysInline);
                        write(function);
                      });
}

} // namespace

Value *exchange_number(IRBuilderBase &builder, Value *place, Value *number) {
  Type *type = number->getType();
  Value *before =
      builder.CreateAtomicRMW(AtomicRMWInst::Xchg, place, builder.CreateBitCast(number, bits_of(type)),
                              alignment_of(builder, type), AtomicOrdering::Monotonic, device_scope(builder));
  return builder.CreateBitCast(before, type);
}

CallInst *take_if_chosen(IRBuilderBase &builder, Value *place, Value *shadow, Value *number) {
  return builder.CreateCall(own(builder, "take", number->getType(), {place, shadow, number}, write_take),
                            {place, shadow, number});
}

CallInst *settle_if_chosen(IRBuilderBase &builder, Value *place, Value *shadow, Value *number, Value *tangent) {
  return builder.CreateCall(own(builder, "settle", builder.getVoidTy(), {place, shadow, number, tangent}, write_settle),
                            {place, shadow, number, tangent});
}

} // namespace assay::engine
