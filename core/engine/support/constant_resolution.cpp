#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace assay::engine {
namespace {

using Visited = SmallPtrSet<const Value *, 16>;

Value *strip_casts(Value *value) {
  while (true) {
    value = value->stripPointerCasts();
    if (auto *alias = dyn_cast<GlobalAlias>(value))
      value = alias->getAliasee();
    else if (auto *freeze = dyn_cast<FreezeInst>(value))
      value = freeze->getOperand(0);
    else if (auto *cast = dyn_cast<Operator>(value);
             cast && (cast->getOpcode() == Instruction::PtrToInt || cast->getOpcode() == Instruction::IntToPtr))
      value = cast->getOperand(0);
    else
      return value;
  }
}

struct StoredAt {
  std::int64_t offset;
  Value *value;
};

/// Gathers what is stored into a stack slot, by byte offset. False when the slot can be changed in another way.
bool collect_stores(Value &pointer, std::int64_t offset, const DataLayout &layout, SmallVectorImpl<StoredAt> &stores) {
  for (Use &use : pointer.uses()) {
    User *user = use.getUser();
    if (isa<LoadInst>(user) || isa<LifetimeIntrinsic>(user) || isa<DbgInfoIntrinsic>(user) || isa<ICmpInst>(user))
      continue;
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() == &pointer)
        return false;
      stores.push_back({offset, store->getValueOperand()});
      continue;
    }
    if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      APInt step(layout.getIndexTypeSizeInBits(gep->getType()), 0);
      if (!gep->accumulateConstantOffset(layout, step) ||
          !collect_stores(*gep, offset + step.getSExtValue(), layout, stores))
        return false;
      continue;
    }
    if (auto *cast = dyn_cast<CastInst>(user); cast && cast->getType()->isPointerTy()) {
      if (!collect_stores(*cast, offset, layout, stores))
        return false;
      continue;
    }
    auto *call = dyn_cast<CallBase>(user);
    if (!call || !call->isArgOperand(&use))
      return false;
    const auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    const unsigned argument = call->getArgOperandNo(&use);
    const bool harmless = (callee && convention_call(*callee)) || call->isByValArgument(argument) ||
                          (call->onlyReadsMemory(argument) && call->doesNotCapture(argument)) ||
                          (isa<MemTransferInst>(call) && argument == 1);
    if (!harmless)
      return false;
  }
  return true;
}

class Resolver {
public:
  Constant *constant(Value *value) {
    value = strip_casts(value);
    if (auto *known = dyn_cast<Constant>(value))
      return simplified(known);
    if (!visited_.insert(value).second)
      return nullptr;
    if (auto *load = dyn_cast<LoadInst>(value))
      return loaded(*load);
    if (auto *phi = dyn_cast<PHINode>(value))
      return agreed(phi->incoming_values());
    if (auto *select = dyn_cast<SelectInst>(value))
      return agreed(ArrayRef<Value *>{select->getTrueValue(), select->getFalseValue()});
    if (auto *extract = dyn_cast<ExtractValueInst>(value))
      return extracted(*extract);
    if (auto *cast = dyn_cast<CastInst>(value))
      return converted(*cast);
    if (auto *call = dyn_cast<CallBase>(value))
      return returned(*call);
    return nullptr;
  }

private:
  static Constant *simplified(Constant *value) {
    Value *stripped = strip_casts(value);
    return stripped == value || !isa<Constant>(stripped) ? value : cast<Constant>(stripped);
  }

  template <class Values>
  Constant *agreed(const Values &values) {
    Constant *common = nullptr;
    for (Value *value : values) {
      value = strip_casts(value);
      if (isa<UndefValue>(value) || visited_.contains(value))
        continue;
      Constant *each = constant(value);
      if (!each || (common && common != each))
        return nullptr;
      common = each;
    }
    return common;
  }

  Constant *loaded(LoadInst &load) {
    const DataLayout &layout = load.getDataLayout();
    Value *pointer = load.getPointerOperand();
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (auto *global = dyn_cast<GlobalVariable>(base))
      return loaded_from(*global, load.getType(), offset, layout);
    if (Value *stored = only_stored_value(pointer))
      return constant(stored);
    return nullptr;
  }

  /// A constant global, or a local one that is only read.
  static Constant *loaded_from(GlobalVariable &global, Type *type, const APInt &offset, const DataLayout &layout) {
    if (!global.hasInitializer() || marker(global))
      return nullptr;
    const bool only_read =
        global.hasLocalLinkage() && all_of(global.users(), [](User *user) { return isa<LoadInst>(user); });
    if (!global.isConstant() && !only_read)
      return nullptr;
    Constant *value = ConstantFoldLoadFromConst(global.getInitializer(), type, offset, layout);
    return value ? simplified(value) : nullptr;
  }

  Constant *extracted(ExtractValueInst &extract) {
    Value *inserted = inserted_value(extract.getAggregateOperand(), extract.getIndices());
    return inserted ? constant(inserted) : nullptr;
  }

  static Value *inserted_value(Value *aggregate, ArrayRef<unsigned> indices) {
    while (auto *insert = dyn_cast<InsertValueInst>(aggregate)) {
      if (insert->getIndices() == indices)
        return insert->getInsertedValueOperand();
      aggregate = insert->getAggregateOperand();
    }
    return nullptr;
  }

  Constant *converted(CastInst &cast) {
    Constant *operand = constant(cast.getOperand(0));
    if (!operand || operand->getType() != cast.getSrcTy())
      return nullptr;
    return ConstantFoldCastOperand(cast.getOpcode(), operand, cast.getDestTy(), cast.getDataLayout());
  }

  /// A small function without side effects on what it returns, such as a lambda's conversion to a function pointer.
  Constant *returned(CallBase &call) {
    auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
    if (!callee || callee->isDeclaration() || convention_call(*callee))
      return nullptr;
    SmallVector<Value *, 2> results;
    for (Instruction &instruction : instructions(*callee))
      if (auto *ret = dyn_cast<ReturnInst>(&instruction); ret && ret->getReturnValue())
        results.push_back(ret->getReturnValue());
    return results.empty() ? nullptr : agreed(results);
  }

  Visited visited_;
};

} // namespace

Value *only_stored_value(Value *pointer) {
  auto *alloca = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  if (!alloca)
    return nullptr;
  const DataLayout &layout = alloca->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) != alloca)
    return nullptr;
  SmallVector<StoredAt, 4> stores;
  if (!collect_stores(*alloca, 0, layout, stores))
    return nullptr;
  Value *only = nullptr;
  for (const StoredAt &store : stores) {
    if (store.offset != offset.getSExtValue())
      continue;
    if (only && only != store.value)
      return nullptr;
    only = store.value;
  }
  return only;
}

Constant *resolve_constant(Value *value) {
  return Resolver().constant(value);
}

Value *look_through(Value *value) {
  Visited visited;
  while (visited.insert(value).second) {
    value = strip_casts(value);
    auto *load = dyn_cast<LoadInst>(value);
    Value *stored = load ? only_stored_value(load->getPointerOperand()) : nullptr;
    if (!stored || stored->getType() != load->getType())
      return value;
    value = stored;
  }
  return value;
}

std::optional<std::int64_t> resolve_integer(Value *value) {
  if (auto *known = dyn_cast_or_null<ConstantInt>(resolve_constant(value)))
    return known->getSExtValue();
  return std::nullopt;
}

} // namespace assay::engine
