#include "core/engine/lowering/call_operands.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/source_signature.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace assay::engine {

namespace {

std::optional<Marker> marker_of(Value *value, SmallPtrSetImpl<Value *> &visited) {
  value = look_through(value);
  if (!visited.insert(value).second)
    return std::nullopt;
  if (auto *metadata = dyn_cast<MetadataAsValue>(value))
    if (auto *text = dyn_cast<MDString>(metadata->getMetadata()))
      return marker(text->getString());
  if (auto *global = dyn_cast<GlobalVariable>(value))
    return marker(*global);
  if (auto *load = dyn_cast<LoadInst>(value))
    return marker_of(load->getPointerOperand(), visited);
  if (auto *cast = dyn_cast<CastInst>(value))
    return marker_of(cast->getOperand(0), visited);
  if (auto *call = dyn_cast<IntrinsicInst>(value); call && call->getIntrinsicID() == Intrinsic::threadlocal_address)
    return marker_of(call->getArgOperand(0), visited);
  if (auto *phi = dyn_cast<PHINode>(value)) {
    std::optional<Marker> common;
    for (Value *incoming : phi->incoming_values()) {
      const std::optional<Marker> each = marker_of(incoming, visited);
      if (!each || (common && common != each))
        return std::nullopt;
      common = each;
    }
    return common;
  }
  return std::nullopt;
}

} // namespace

SmallVector<Operand, 8> operands_after_function(CallBase &call) {
  SmallVector<Operand, 8> operands;
  const unsigned function_argument = first_argument(call);
  for (const SourceParameter &argument : source_arguments(call))
    for (unsigned index = argument.first; index < argument.first + argument.count; ++index)
      if (index > function_argument)
        operands.push_back({call.getArgOperand(index), argument.reference, call.isByValArgument(index),
                            argument.reference ? fundamental_type(argument.type, call.getContext()) : nullptr,
                            pointer_depth(argument.type)});
  return operands;
}

Value *written_value(const Operand &operand) {
  if (!operand.reference)
    return operand.value;
  Value *stored = only_stored_value(operand.value);
  return stored ? stored : operand.value;
}

std::optional<StringRef> unknown_marker_of(Value *argument) {
  auto *load = dyn_cast<LoadInst>(look_through(argument));
  auto *global = dyn_cast<GlobalVariable>(load ? look_through(load->getPointerOperand()) : look_through(argument));
  if (!global || !global->getName().starts_with("enzyme_") || marker(*global))
    return std::nullopt;
  return global->getName();
}

std::optional<Marker> marker_of(Value *argument) {
  SmallPtrSet<Value *, 4> visited;
  return marker_of(argument, visited);
}

bool is_convertible(Type *from, Type *to, const DataLayout &layout) {
  if (from == to)
    return true;
  const auto address = [](Type *type) { return type->isPointerTy() || type->isIntegerTy(); };
  if ((from->isFloatingPointTy() && to->isFloatingPointTy()) || (address(from) && address(to)))
    return true;
  if (from->isPointerTy() || to->isPointerTy() || (from->isIntegerTy() && to->isFloatingPointTy()))
    return false;
  return from->isSized() && to->isSized() && layout.getTypeStoreSize(from) == layout.getTypeStoreSize(to);
}

} // namespace assay::engine
