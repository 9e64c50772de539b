#include "core/engine/prepare/half_memory.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr unsigned half_bits = 16;

/// By the name of a class of one number or two.
Type *half_of_class(Type *type) {
  const auto *structure = dyn_cast<StructType>(type);
  StringRef name = structure && structure->hasName() ? structure->getName() : "";
  if (!name.consume_front("struct."))
    return nullptr;
  LLVMContext &context = type->getContext();
  return StringSwitch<Type *>(name.split('.').first)
      .Cases({"__half", "__half2"}, Type::getHalfTy(context))
      .Cases({"__nv_bfloat16", "__nv_bfloat162"}, Type::getBFloatTy(context))
      .Default(nullptr);
}

/// A step from one object of such a class to another: there are others around it. Where no step is made, only what is
/// at the address itself is one.
bool is_step_in_array(const GEPOperator &address) {
  return address.getNumIndices() == 1 && !address.hasAllZeroIndices() &&
         half_of_class(address.getSourceElementType()) != nullptr;
}

Type *half_in_array(const Value &base) {
  if (const auto *step = dyn_cast<GEPOperator>(&base); step && is_step_in_array(*step))
    return half_of_class(step->getSourceElementType());
  if (isa<Constant>(base))
    return nullptr;
  for (const User *user : base.users())
    if (const auto *step = dyn_cast<GEPOperator>(user);
        step && step->getPointerOperand() == &base && is_step_in_array(*step))
      return half_of_class(step->getSourceElementType());
  return nullptr;
}

/// An object of which the address is made, or which lies on the stack.
Type *class_at(const Value &base) {
  if (const auto *member = dyn_cast<GEPOperator>(&base))
    return member->getResultElementType();
  const auto *variable = dyn_cast<AllocaInst>(&base);
  return variable ? variable->getAllocatedType() : nullptr;
}

unsigned lanes_of(const Type *type) {
  const unsigned bits = type->isIntOrIntVectorTy() && !isa<ScalableVectorType>(type)
                            ? static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue())
                            : 0;
  return bits % half_bits == 0 ? bits / half_bits : 0;
}

/// The type of numbers as many as the integers have room for, or null.
Type *numbers_for(const Instruction &access) {
  const unsigned lanes = lanes_of(getLoadStoreType(&access));
  Type *half = lanes > 0 ? half_behind(*getLoadStorePointerOperand(&access)) : nullptr;
  if (!half)
    return nullptr;
  return lanes == 1 ? half : FixedVectorType::get(half, lanes);
}

} // namespace

Type *half_behind(const Value &address) {
  const Value *base = &address;
  std::uint64_t offset = 0;
  for (;;) {
    if (Type *half = half_in_array(*base))
      return half;
    const auto *instruction = dyn_cast<Instruction>(base);
    if (!instruction)
      return nullptr;
    const DataLayout &layout = instruction->getDataLayout();
    Type *type = class_at(*base);
    if (type && half_of_class(type) && offset < layout.getTypeAllocSize(type))
      return half_of_class(type);
    const auto *step = dyn_cast<GEPOperator>(base);
    APInt distance(layout.getIndexTypeSizeInBits(base->getType()), 0);
    if (!step || !step->accumulateConstantOffset(layout, distance))
      return nullptr;
    offset += distance.getSExtValue();
    base = step->getPointerOperand();
  }
}

void type_half_memory(Function &function) {
  if (!is_device_code(*function.getParent()))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    Type *type = (load && load->isSimple()) || (store && store->isSimple()) ? numbers_for(instruction) : nullptr;
    if (!type)
      continue;
    IRBuilder<> builder(&instruction);
    if (store) {
      store->setOperand(0, builder.CreateBitCast(store->getValueOperand(), type));
      continue;
    }
    Value *numbers = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
    cast<LoadInst>(numbers)->copyMetadata(*load);
    load->replaceAllUsesWith(builder.CreateBitCast(numbers, load->getType()));
    load->eraseFromParent();
  }
}

} // namespace assay::engine
