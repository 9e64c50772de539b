#include "core/engine/lowering/follow_globals.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

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

using ShadowedGlobals = SmallVector<ShadowedGlobal, 8>;

/// The mutable globals that have a shadow, by the set that it belongs to.
MapVector<StringRef, ShadowedGlobals> shadowed_globals(Module &module) {
  MapVector<StringRef, ShadowedGlobals> found;
  for (GlobalVariable &shadow : module.globals()) {
    const std::optional<ShadowName> name = shadow_name(shadow);
    GlobalVariable *primal = name ? module.getNamedGlobal(name->primal) : nullptr;
    if (primal && !primal->isConstant() && !primal->isThreadLocal() && !primal->hasSection())
      found[name->suffix].push_back({primal, &shadow});
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

void follow_globals(Module &module, ArrayRef<DerivativeStart> starts) {
  constexpr unsigned pointer_bits = 64;
  if (module.getDataLayout().getPointerSizeInBits() != pointer_bits)
    return;
  for (const auto &[suffix, globals] : shadowed_globals(module)) {
    if (none_of(globals, [](const ShadowedGlobal &global) { return has_pointers(*global.primal->getValueType()); }))
      continue;
    Constant *table = table_of(module, globals);
    Function *follow = library_helper(module, "assay.globals.follow");
    for (const DerivativeStart &start : starts)
      if (auto *call = dyn_cast_or_null<CallBase>(start.call); call && start.shadow_sets.contains(suffix.str())) {
        IRBuilder<> builder(call);
        builder.CreateCall(follow, {table, builder.getInt64(globals.size())});
      }
  }
}

} // namespace assay::engine
