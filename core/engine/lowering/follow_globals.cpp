#include "core/engine/lowering/follow_globals.hpp"
#include "core/engine/support/heap_shadows.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <map>
#include <vector>

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
  std::string of_primal; ///< The suffix of the primal, where it is a shadow itself.
  unsigned order;        ///< One for the shadow of a variable of the program, two for the shadow of that.
};

using ShadowedGlobals = SmallVector<ShadowedGlobal, 8>;

unsigned order_of(const Module &module, const GlobalVariable &shadow) {
  const std::optional<ShadowName> name = shadow_name(shadow);
  const GlobalVariable *primal = name ? module.getNamedGlobal(name->primal) : nullptr;
  return primal ? 1 + order_of(module, *primal) : 0;
}

/// The mutable globals that have a shadow, by the set that it belongs to.
MapVector<StringRef, ShadowedGlobals> shadowed_globals(Module &module) {
  MapVector<StringRef, ShadowedGlobals> found;
  for (GlobalVariable &shadow : module.globals()) {
    const std::optional<ShadowName> name = shadow_name(shadow);
    GlobalVariable *primal = name ? module.getNamedGlobal(name->primal) : nullptr;
    if (!primal || primal->isConstant() || primal->isThreadLocal() || primal->hasSection())
      continue;
    const std::optional<ShadowName> outer = shadow_name(*primal);
    found[name->suffix].push_back(
        {primal, &shadow, outer ? outer->suffix.str() : std::string(), order_of(module, shadow)});
  }
  return found;
}

/// A table of addresses and sizes, as the library reads it.
Constant *table_of(Module &module, ArrayRef<ShadowedGlobal> globals) {
  Type *size_type = Type::getInt64Ty(module.getContext());
  SmallVector<Constant *, 8> rows;
  for (const ShadowedGlobal &global : globals)
    rows.push_back(ConstantStruct::getAnon(
        {global.primal, global.shadow,
         ConstantInt::get(size_type,
                          module.getDataLayout().getTypeAllocSize(global.primal->getValueType()).getFixedValue())}));
  auto *type = ArrayType::get(rows.front()->getType(), rows.size());
  return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, rows),
                            "assay.globals");
}

/// The globals of a set up to `order` that a derivative with these sets uses. None where all of them have been followed
/// at a lower order, or where none keeps a pointer.
ShadowedGlobals to_follow(ArrayRef<ShadowedGlobal> globals, unsigned order, const std::set<std::string> &sets) {
  ShadowedGlobals found;
  copy_if(globals, std::back_inserter(found), [&](const ShadowedGlobal &global) {
    return global.order <= order && (global.of_primal.empty() || sets.contains(global.of_primal));
  });
  const auto is_new = [&](const ShadowedGlobal &global) { return global.order == order; };
  const auto keeps_pointers = [](const ShadowedGlobal &global) { return has_pointers(*global.primal->getValueType()); };
  return any_of(found, is_new) && any_of(found, keeps_pointers) ? found : ShadowedGlobals();
}

/// Writes the calls, with one table for the same globals of the module.
class FollowCalls {
public:
  explicit FollowCalls(Module &module) : module(module), sets(shadowed_globals(module)) {}

  /// The shadows of the program's globals first: those of a second derivative are shadows of these.
  void write_before(CallBase &call, const std::set<std::string> &sets_of_call) {
    for (unsigned order = 1; order <= highest_order(); ++order)
      for (const auto &[suffix, globals] : sets)
        if (sets_of_call.contains(suffix.str()))
          if (const ShadowedGlobals followed = to_follow(globals, order, sets_of_call); !followed.empty())
            write_before(call, followed);
  }

  bool any() const { return !tables.empty(); }

private:
  Module &module;
  MapVector<StringRef, ShadowedGlobals> sets;
  std::map<std::vector<const GlobalVariable *>, Constant *> tables; ///< By the shadows in them.

  unsigned highest_order() const {
    unsigned highest = 0;
    for (const auto &[suffix, globals] : sets)
      for (const ShadowedGlobal &global : globals)
        highest = std::max(highest, global.order);
    return highest;
  }

  void write_before(CallBase &call, ArrayRef<ShadowedGlobal> globals) {
    std::vector<const GlobalVariable *> shadows;
    transform(globals, std::back_inserter(shadows), [](const ShadowedGlobal &global) { return global.shadow; });
    Constant *&table = tables[shadows];
    if (!table)
      table = table_of(module, globals);
    IRBuilder<> builder(&call);
    builder.CreateCall(library_helper(module, "assay.globals.follow"), {table, builder.getInt64(globals.size())});
  }
};

/// What is released may be no shadow, in code that releases other memory, too.
void tell_of_shadows(Module &module) {
  Function *note = nullptr, *forget = nullptr;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (is_shadow_allocation(instruction)) {
        note = note ? note : library_helper(module, "assay.globals.note");
        IRBuilder<>(instruction.getNextNode()).CreateCall(note, {&instruction});
      }
      if (!is_shadow_release(instruction))
        continue;
      forget = forget ? forget : library_helper(module, "assay.globals.forget");
      for (Value *argument : cast<CallBase>(instruction).args())
        if (argument->getType()->isPointerTy())
          IRBuilder<>(&instruction).CreateCall(forget, {argument});
    }
}

} // namespace

void follow_globals(Module &module, ArrayRef<DerivativeStart> starts) {
  constexpr unsigned pointer_bits = 64;
  if (module.getDataLayout().getPointerSizeInBits() != pointer_bits)
    return;
  FollowCalls calls(module);
  for (const DerivativeStart &start : starts)
    if (auto *call = dyn_cast_or_null<CallBase>(start.call))
      calls.write_before(*call, start.shadow_sets);
  if (calls.any())
    tell_of_shadows(module);
}

} // namespace assay::engine
