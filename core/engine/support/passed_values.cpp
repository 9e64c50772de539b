#include "core/engine/support/passed_values.hpp"
#include "core/engine/support/source_signature.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

/// The parts of `type`, with the path to each in an aggregate.
void for_each_part(const DataLayout &layout, Type &type, std::uint64_t offset, SmallVectorImpl<unsigned> &path,
                   function_ref<void(const Part &, ArrayRef<unsigned>)> visit) {
  if (!type.isAggregateType())
    return visit({&type, offset}, path);
  auto *structure = dyn_cast<StructType>(&type);
  const std::uint64_t count = structure ? structure->getNumElements() : type.getArrayNumElements();
  for (unsigned index = 0; index < count; ++index) {
    Type &inner = *ExtractValueInst::getIndexedType(&type, index);
    const std::uint64_t place = structure ? layout.getStructLayout(structure)->getElementOffset(index).getFixedValue()
                                          : layout.getTypeAllocSize(&inner).getFixedValue() * index;
    path.push_back(index);
    for_each_part(layout, inner, offset + place, path, visit);
    path.pop_back();
  }
}

const DataLayout &layout_of(const IRBuilderBase &builder) {
  return builder.GetInsertBlock()->getDataLayout();
}

AllocaInst *stack_memory(IRBuilderBase &builder, Type &type) {
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(&type);
}

Value *place_of(IRBuilderBase &builder, const Part &part, Value *memory) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, part.offset);
}

} // namespace

SmallVector<PassedValue, 8> values_passed_to(const Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<PassedValue, 8> values;
  for (const SourceParameter &parameter : source_parameters(function)) {
    PassedValue value{parameter.first, function.getArg(parameter.first)->hasByValAttr(), {}};
    std::uint64_t offset = 0;
    for (unsigned index = 0; index < parameter.count && !value.in_memory; ++index) {
      Type *type = function.getArg(parameter.first + index)->getType();
      offset = alignTo(offset, layout.getABITypeAlign(type));
      value.parts.push_back({type, offset});
      offset += layout.getTypeStoreSize(type).getFixedValue();
    }
    SmallVector<unsigned, 4> path;
    if (value.in_memory)
      for_each_part(layout, *function.getArg(parameter.first)->getParamByValType(), 0, path,
                    [&](const Part &part, ArrayRef<unsigned>) { value.parts.push_back(part); });
    values.push_back(std::move(value));
  }
  return values;
}

Type *returned_type(const Function &function) {
  return function.hasStructRetAttr() ? function.getParamStructRetType(0) : function.getReturnType();
}

SmallVector<Value *, 4> parts_of(IRBuilderBase &builder, Value *value) {
  if (!value->getType()->isAggregateType())
    return {value};
  SmallVector<Value *, 4> parts;
  SmallVector<unsigned, 4> path;
  for_each_part(layout_of(builder), *value->getType(), 0, path,
                [&](const Part &, ArrayRef<unsigned> at) { parts.push_back(builder.CreateExtractValue(value, at)); });
  return parts;
}

Value *load_part(IRBuilderBase &builder, const Part &part, Value *memory) {
  return builder.CreateAlignedLoad(part.type, place_of(builder, part, memory), Align(1));
}

Value *load_parts(IRBuilderBase &builder, Type &type, Value *memory) {
  if (!type.isAggregateType())
    return load_part(builder, {&type, 0}, memory);
  Value *result = PoisonValue::get(&type);
  SmallVector<unsigned, 4> path;
  for_each_part(layout_of(builder), type, 0, path, [&](const Part &part, ArrayRef<unsigned> at) {
    result = builder.CreateInsertValue(result, load_part(builder, part, memory), at);
  });
  return result;
}

void store_parts(IRBuilderBase &builder, Value *value, Value *memory) {
  SmallVector<unsigned, 4> path;
  for_each_part(layout_of(builder), *value->getType(), 0, path, [&](const Part &part, ArrayRef<unsigned> at) {
    Value *inner = at.empty() ? value : builder.CreateExtractValue(value, at);
    builder.CreateAlignedStore(inner, place_of(builder, part, memory), Align(1));
  });
}

Value *same_bytes(IRBuilderBase &builder, Value *value, Type &type) {
  AllocaInst *memory = stack_memory(builder, *value->getType());
  store_parts(builder, value, memory);
  return load_parts(builder, type, memory);
}

PassingCall::PassingCall(IRBuilderBase &builder, Function &callee) : builder_(builder), callee_(callee) {
  if (callee.hasStructRetAttr())
    operands_.push_back(nullptr); // its memory
}

const Argument *PassingCall::next() const {
  return operands_.size() < callee_.arg_size() ? callee_.getArg(operands_.size()) : nullptr;
}

void PassingCall::pass(ArrayRef<Value *> parts) {
  if (const Argument *parameter = next(); parameter && parameter->hasByValAttr())
    return pass_in_memory(*parameter->getParamByValType(), parts);
  for (Value *part : parts) {
    const Argument *parameter = next();
    fits_ &= parameter && !parameter->hasByValAttr() && parameter->getType() == part->getType();
    if (!fits_)
      return;
    operands_.push_back(part);
  }
}

void PassingCall::pass_in_memory(Type &type, ArrayRef<Value *> parts) {
  AllocaInst *memory = stack_memory(builder_, type);
  unsigned next = 0;
  SmallVector<unsigned, 4> path;
  for_each_part(layout_of(builder_), type, 0, path, [&](const Part &part, ArrayRef<unsigned>) {
    fits_ &= next < parts.size() && parts[next]->getType() == part.type;
    if (fits_)
      builder_.CreateAlignedStore(parts[next++], place_of(builder_, part, memory), Align(1));
  });
  fits_ &= next == parts.size();
  operands_.push_back(memory);
}

CallInst *PassingCall::call(AllocaInst *&result) {
  result = nullptr;
  if (callee_.hasStructRetAttr())
    operands_[0] = result = stack_memory(builder_, *callee_.getParamStructRetType(0));
  CallInst *call = builder_.CreateCall(&callee_, operands_);
  call->setCallingConv(callee_.getCallingConv());
  for (unsigned index = 0; index < callee_.arg_size(); ++index)
    for (const Attribute::AttrKind kind :
         {Attribute::ByVal, Attribute::StructRet, Attribute::Alignment, Attribute::SExt, Attribute::ZExt})
      if (const Attribute attribute = callee_.getAttributes().getParamAttr(index, kind); attribute.isValid())
        call->addParamAttr(index, attribute);
  return call;
}

} // namespace assay::engine
