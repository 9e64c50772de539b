#include "core/engine/emit/device_adds.hpp"
#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/rules/helper_functions.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/undivided_sums.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// In memory that threads share.
Instruction *add_to_common(IRBuilderBase &builder, Value *place, Value *value, LaneAddresses addresses) {
  if (addresses == LaneAddresses::apart || !has_warp_add(*value->getType()))
    return add_for_device(builder, place, value);
  Module &module = *builder.GetInsertBlock()->getModule();
  CallInst *call = builder.CreateCall(warp_add_function(module, value->getType(), cast<PointerType>(place->getType())),
                                      {place, value});
  call->setConvergent();
  return call;
}

Instruction *add_plainly(IRBuilderBase &builder, Value *place, Value *value, Align alignment) {
  Value *sum = builder.CreateFAdd(builder.CreateAlignedLoad(value->getType(), place, alignment), value);
  return builder.CreateAlignedStore(sum, place, alignment);
}

/// The instruction of the device refuses a thread's own memory.
void write_told_apart(Function &function, LaneAddresses addresses) {
  LLVMContext &context = function.getContext();
  Value *place = function.getArg(0), *value = function.getArg(1);
  const Align alignment = function.getDataLayout().getABITypeAlign(value->getType());
  auto *entry = BasicBlock::Create(context, "", &function);
  auto *own = BasicBlock::Create(context, "local", &function);
  auto *common = BasicBlock::Create(context, "common", &function);
  IRBuilder<> builder(entry);
  builder.CreateCondBr(builder.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {place}), own, common);
  builder.SetInsertPoint(own);
  add_plainly(builder, place, value, alignment);
  builder.CreateRetVoid();
  builder.SetInsertPoint(common);
  add_to_common(builder, place, value, addresses);
  builder.CreateRetVoid();
}

Function *told_apart_function(Module &module, Type *type, LaneAddresses addresses) {
  std::string name = addresses == LaneAddresses::apart ? "assay.device.add." : "assay.device.add.alike.";
  raw_string_ostream(name) << *type;
  auto *signature = FunctionType::get(Type::getVoidTy(module.getContext()),
                                      {PointerType::getUnqual(module.getContext()), type}, false);
  return own_function(module, name, signature, [&](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    if (addresses == LaneAddresses::perhaps_alike)
      function.setConvergent();
    write_told_apart(function, addresses);
    inline_helpers(function);
  });
}

Instruction *add_number(IRBuilderBase &builder, Value *place, Value *value, AdjointAdd add, LaneAddresses addresses) {
  if (add == AdjointAdd::undivided)
    return has_undivided_sum(*value->getType()) ? add_undivided(builder, place, value)
                                                : add_plainly(builder, place, value, Align(1));
  if (add == AdjointAdd::atomic)
    return add_to_common(builder, place, value, addresses);
  Module &module = *builder.GetInsertBlock()->getModule();
  CallInst *call = builder.CreateCall(told_apart_function(module, value->getType(), addresses), {place, value});
  if (addresses == LaneAddresses::perhaps_alike)
    call->setConvergent();
  return call;
}

class PartAdder {
public:
  PartAdder(IRBuilderBase &builder, AdjointAdd add, LaneAddresses addresses)
      : builder_(builder), add_(add), addresses_(addresses) {}

  void run(Value *place, Value *value) {
    Type *type = value->getType();
    if (type->isFloatingPointTy()) {
      accesses.push_back(add_number(builder_, place, value, add_, addresses_));
    } else if (auto *vector = dyn_cast<FixedVectorType>(type);
               vector && vector->getElementType()->isFloatingPointTy()) {
      for (unsigned index = 0; index < vector->getNumElements(); ++index)
        run(part(type, place, index), builder_.CreateExtractElement(value, index));
    } else if (type->isAggregateType()) {
      const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
      for (unsigned index = 0; index < parts; ++index)
        run(part(type, place, index), builder_.CreateExtractValue(value, index));
    }
  }

  SmallVector<Instruction *, 2> accesses;

private:
  Value *part(Type *type, Value *place, unsigned index) {
    return builder_.CreateInBoundsGEP(type, place, {builder_.getInt64(0), builder_.getInt32(index)});
  }

  IRBuilderBase &builder_;
  AdjointAdd add_;
  LaneAddresses addresses_;
};

} // namespace

SmallVector<Instruction *, 2> add_atomically(IRBuilderBase &builder, Value *place, Value *value, AdjointAdd add,
                                             LaneAddresses addresses) {
  PartAdder adder(builder, add, addresses);
  adder.run(place, value);
  return std::move(adder.accesses);
}

} // namespace assay::engine
