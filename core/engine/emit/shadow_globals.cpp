#include "core/engine/emit/shadow_globals.hpp"

#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/emit/table_shadows.hpp"
#include "core/engine/support/device_target.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <string>

using namespace llvm;

namespace assay::engine {

namespace {

bool refers_to_shadowed(const Constant &constant, const FunctionInfo &function_info,
                        SmallPtrSetImpl<const Constant *> &visited) {
  if (!visited.insert(&constant).second || isa<Function>(constant))
    return false;
  if (auto *global = dyn_cast<GlobalVariable>(&constant)) {
    if (function_info.is_inactive_global(*global) || is_type_description(*global))
      return false;
    if (!global->isConstant())
      return true;
    return global->hasInitializer() && refers_to_shadowed(*global->getInitializer(), function_info, visited);
  }
  for (const Use &operand : constant.operands())
    if (auto *inner = dyn_cast<Constant>(operand.get()); inner && refers_to_shadowed(*inner, function_info, visited))
      return true;
  return false;
}

GlobalVariable *named_by_metadata(const GlobalVariable &global) {
  MDNode *node = global.getMetadata("enzyme_shadow");
  if (!node || node->getNumOperands() == 0)
    return nullptr;
  auto *named = dyn_cast<ConstantAsMetadata>(node->getOperand(0));
  return named ? dyn_cast<GlobalVariable>(named->getValue()->stripPointerCasts()) : nullptr;
}

/// A definition's shadow is as visible as itself; that of a declaration yields to one made beside the definition.
GlobalValue::LinkageTypes shadow_linkage(const GlobalVariable &global) {
  if (global.hasLocalLinkage())
    return GlobalValue::InternalLinkage;
  return global.isDeclaration() || !global.hasExternalLinkage() ? GlobalValue::WeakAnyLinkage
                                                                : GlobalValue::ExternalLinkage;
}

/// An address, or one that is computed with as an integer.
Constant *shadow_of_expression(ConstantExpr &expression, const ShadowSet &set, const FunctionInfo &function_info) {
  SmallVector<Constant *, 4> operands;
  for (Use &use : expression.operands()) {
    auto *operand = cast<Constant>(use.get());
    const bool carries_pointer = operand->getType()->isPtrOrPtrVectorTy() || isa<ConstantExpr>(operand);
    operands.push_back(carries_pointer ? shadow_of_constant(*operand, set, function_info) : operand);
  }
  return expression.getWithOperands(operands);
}

Constant *shadow_of_aggregate(ConstantAggregate &aggregate, const ShadowSet &set, const FunctionInfo &function_info) {
  SmallVector<Constant *, 8> elements;
  for (Use &use : aggregate.operands())
    elements.push_back(shadow_of_constant(*cast<Constant>(use.get()), set, function_info));
  if (auto *type = dyn_cast<StructType>(aggregate.getType()))
    return ConstantStruct::get(type, elements);
  if (auto *type = dyn_cast<ArrayType>(aggregate.getType()))
    return ConstantArray::get(type, elements);
  return ConstantVector::get(elements);
}

} // namespace

bool may_have_shadow(const GlobalVariable &global, const FunctionInfo &function_info) {
  SmallPtrSet<const Constant *, 8> visited;
  return refers_to_shadowed(global, function_info, visited);
}

GlobalVariable &shadow_global(GlobalVariable &global, const ShadowSet &set, const FunctionInfo &function_info) {
  if (GlobalVariable *named = named_by_metadata(global); named && set.lane == 0 && set.order == 0)
    return *named;
  if (const auto registered = function_info.registered_shadows(global); set.lane < registered.size() && set.order == 0)
    return *registered[set.lane];
  Module &module = *global.getParent();
  const std::string name = global.getName().str() + set.suffix();
  if (GlobalVariable *existing = module.getNamedGlobal(name))
    return *existing;
  auto *shadow = new GlobalVariable(module, global.getValueType(), global.isConstant(), shadow_linkage(global),
                                    Constant::getNullValue(global.getValueType()), name, &global,
                                    global.getThreadLocalMode(), global.getAddressSpace());
  shadow->setAlignment(global.getAlign());
  shadow->setDSOLocal(global.isDSOLocal());
  if (is_shared_memory(
          global)) { // never initialised; a dynamic array's is placed behind it (lowering/shared_shadows.hpp)
    shadow->setInitializer(global.isDeclaration() ? nullptr : PoisonValue::get(global.getValueType()));
    if (global.isDeclaration())
      shadow->setLinkage(GlobalValue::ExternalLinkage);
    return *shadow;
  }
  // After it exists: the initializer may point back to it.
  if (global.hasInitializer())
    shadow->setInitializer(set.tangents ? zeros_of_constant(*global.getInitializer(), set, function_info)
                                        : scratch_of_constant(*global.getInitializer(), set, function_info));
  // Other files know of the global, but not what it points to: the shadows that they use in either mode are this one's.
  if (!global.hasLocalLinkage() && !shadow->getInitializer()->isNullValue())
    shadow_global(global, {!set.tangents, set.order, set.lane}, function_info);
  return *shadow;
}

Constant *shadow_of_constant(Constant &constant, const ShadowSet &set, const FunctionInfo &function_info) {
  Type *type = constant.getType();
  if (type->isFPOrFPVectorTy())
    return Constant::getNullValue(type);
  if (auto *global = dyn_cast<GlobalVariable>(&constant))
    return may_have_shadow(*global, function_info) ? &shadow_global(*global, set, function_info) : &constant;
  if (auto *expression = dyn_cast<ConstantExpr>(&constant))
    return shadow_of_expression(*expression, set, function_info);
  if (auto *aggregate = dyn_cast<ConstantAggregate>(&constant))
    return shadow_of_aggregate(*aggregate, set, function_info);
  if (auto *data = dyn_cast<ConstantDataSequential>(&constant))
    return data->getElementType()->isFloatingPointTy() ? Constant::getNullValue(type) : &constant;
  if (isa<UndefValue>(constant)) // a field that nobody reads, but shadows hold nothing undefined
    return Constant::getNullValue(type);
  return &constant;
}

} // namespace assay::engine
