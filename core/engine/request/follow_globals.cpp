#include "core/engine/request/follow_globals.hpp"
#include "core/engine/request/library_bodies.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr StringLiteral shadow_suffix = ".assay_shadow";

bool has_pointers(const Type &type) {
  if (const auto *array = dyn_cast<ArrayType>(&type))
    return has_pointers(*array->getElementType());
  if (const auto *structure = dyn_cast<StructType>(&type))
    return any_of(structure->elements(), [](const Type *element) { return has_pointers(*element); });
  return type.isPtrOrPtrVectorTy();
}

struct ShadowedGlobal {
  GlobalVariable *primal, *shadow;
};

/// The mutable globals that have a shadow of that lane.
SmallVector<ShadowedGlobal, 8> shadowed_globals(Module &module, unsigned lane) {
  const std::string suffix = (shadow_suffix + (lane ? "." + Twine(lane) : Twine())).str();
  SmallVector<ShadowedGlobal, 8> found;
  for (GlobalVariable &shadow : module.globals()) {
    StringRef name = shadow.getName();
    if (!name.consume_back(suffix))
      continue;
    GlobalVariable *primal = module.getNamedGlobal(name);
    if (primal && !primal->isConstant() && !primal->isThreadLocal() && !primal->hasSection())
      found.push_back({primal, &shadow});
  }
  return found;
}

/// A table of addresses and sizes, as the library reads it.
Constant *table_of(Module &module, ArrayRef<ShadowedGlobal> globals) {
  Type *size_type = Type::getInt64Ty(module.getContext());
  SmallVector<Constant *, 8> rows;
  for (const auto &[primal, shadow] : globals)
    rows.push_back(ConstantStruct::getAnon(
        {primal, shadow,
         ConstantInt::get(size_type,
                          module.getDataLayout().getTypeAllocSize(primal->getValueType()).getFixedValue())}));
  auto *type = ArrayType::get(rows.front()->getType(), rows.size());
  return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, rows),
                            "assay.globals");
}

} // namespace

void follow_globals(Module &module, ArrayRef<WeakTrackingVH> starts) {
  constexpr unsigned pointer_bits = 64;
  if (module.getDataLayout().getPointerSizeInBits() != pointer_bits)
    return;
  for (unsigned lane = 0;; ++lane) {
    const SmallVector<ShadowedGlobal, 8> globals = shadowed_globals(module, lane);
    if (globals.empty() && lane > 0)
      return;
    if (none_of(globals, [](const ShadowedGlobal &global) { return has_pointers(*global.primal->getValueType()); }))
      continue;
    Constant *table = table_of(module, globals);
    Function *follow = library_helper(module, "assay.globals.follow");
    for (const WeakTrackingVH &start : starts)
      if (auto *call = dyn_cast_or_null<CallBase>(start)) {
        IRBuilder<> builder(call);
        builder.CreateCall(follow, {table, builder.getInt64(globals.size())});
      }
  }
}

} // namespace assay::engine
