#include "core/engine/emit/device_adds.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {
namespace {

AtomicRMWInst *add_to_common(IRBuilderBase &builder, Value *place, Value *value) {
  const SyncScope::ID device = builder.getContext().getOrInsertSyncScopeID("device");
  const Align alignment = builder.GetInsertBlock()->getDataLayout().getABITypeAlign(value->getType());
  return builder.CreateAtomicRMW(AtomicRMWInst::FAdd, place, value, alignment, AtomicOrdering::Monotonic, device);
}

void add_plainly(IRBuilderBase &builder, Value *place, Value *value, Align alignment) {
  Value *sum = builder.CreateFAdd(builder.CreateAlignedLoad(value->getType(), place, alignment), value);
  builder.CreateAlignedStore(sum, place, alignment);
}

/// The instruction of the device refuses a thread's own memory.
void write_told_apart(Function &function) {
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
  add_to_common(builder, place, value);
  builder.CreateRetVoid();
}

Function *told_apart_function(Module &module, Type *type) {
  std::string name = "assay.device.add.";
  raw_string_ostream(name) << *type;
  auto *signature = FunctionType::get(Type::getVoidTy(module.getContext()),
                                      {PointerType::getUnqual(module.getContext()), type}, false);
  return own_function(module, name, signature, [](Function &function) {
    function.addFnAttr(Attribute::AlwaysInline);
    write_told_apart(function);
  });
}

Instruction *add_number(IRBuilderBase &builder, Value *place, Value *value, AdjointAdd add) {
  const bool is_generic = is_in(*place->getType(), DeviceMemory::generic);
  if (add == AdjointAdd::atomic || !is_generic)
    return add_to_common(builder, place, value);
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(told_apart_function(module, value->getType()), {place, value});
}

class PartAdder {
public:
  PartAdder(IRBuilderBase &builder, AdjointAdd add) : builder_(builder), add_(add) {}

  void run(Value *place, Value *value) {
    Type *type = value->getType();
    if (type->isFloatingPointTy()) {
      accesses.push_back(add_number(builder_, place, value, add_));
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
};

} // namespace

SmallVector<Instruction *, 2> add_atomically(IRBuilderBase &builder, Value *place, Value *value, AdjointAdd add) {
  PartAdder adder(builder, add);
  adder.run(place, value);
  return std::move(adder.accesses);
}

} // namespace assay::engine
