#include "core/engine/analysis/caller_argument_types.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr const char *metadata_name = "assay.passed";
constexpr unsigned most_loads = 4;

/// The one value that is ever stored to a variable on the stack.
const Value *only_stored_value(const AllocaInst &variable) {
  const Value *stored = nullptr;
  for (const User *user : variable.users()) {
    const auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getPointerOperand() != &variable)
      continue;
    if (stored && stored != store->getValueOperand())
      return nullptr;
    stored = store->getValueOperand();
  }
  return stored;
}

bool has_floats(Type *type) {
  if (auto *array = dyn_cast<ArrayType>(type))
    return has_floats(array->getElementType());
  if (auto *structure = dyn_cast<StructType>(type))
    return any_of(structure->elements(), has_floats);
  return type->isFPOrFPVectorTy();
}

/// The largest part of `type` that starts at `offset`.
Type *part_at(Type *type, APInt offset, const DataLayout &layout) {
  while (!offset.isZero()) {
    if (offset.isNegative() || offset.uge(layout.getTypeAllocSize(type).getFixedValue()) || !type->isAggregateType())
      return nullptr;
    if (!layout.getGEPIndexForOffset(type, offset))
      return nullptr;
  }
  return type;
}

Type *type_behind(const Value &pointer, const DataLayout &layout) {
  const Value *place = &pointer;
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  for (unsigned loads = 0; place && loads < most_loads; ++loads) {
    place = place->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (const auto *variable = dyn_cast<AllocaInst>(place))
      return variable->isArrayAllocation() ? nullptr : part_at(variable->getAllocatedType(), offset, layout);
    if (const auto *global = dyn_cast<GlobalVariable>(place))
      return part_at(global->getValueType(), offset, layout);
    const auto *load = dyn_cast<LoadInst>(place);
    const auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
    place = slot ? only_stored_value(*slot) : nullptr;
  }
  return nullptr;
}

} // namespace

void note_caller_argument_types(Function &function, unsigned parameter, const Value &pointer) {
  Type *type = type_behind(pointer, function.getDataLayout());
  if (!type || !type->isSized() || !has_floats(type))
    return;
  LLVMContext &context = function.getContext();
  SmallVector<Metadata *, 8> entries;
  if (const MDNode *known = function.getMetadata(metadata_name))
    entries.append(known->op_begin(), known->op_end());
  auto *index = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), parameter));
  auto *value = ConstantAsMetadata::get(PoisonValue::get(type));
  Metadata *entry = MDNode::get(context, {index, value});
  if (is_contained(entries, entry))
    return;
  entries.push_back(entry);
  function.setMetadata(metadata_name, MDNode::get(context, entries));
}

SmallVector<CallerArgumentType, 4> caller_argument_types(const Function &function) {
  SmallVector<CallerArgumentType, 4> result;
  const MDNode *known = function.getMetadata(metadata_name);
  for (unsigned index = 0; known && index < known->getNumOperands(); ++index) {
    const auto *entry = cast<MDNode>(known->getOperand(index));
    const auto parameter = mdconst::extract<ConstantInt>(entry->getOperand(0))->getZExtValue();
    if (parameter < function.arg_size())
      result.push_back({static_cast<unsigned>(parameter), mdconst::extract<Constant>(entry->getOperand(1))->getType()});
  }
  return result;
}

} // namespace assay::engine
