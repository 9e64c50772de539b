#include "core/engine/emit/table_shadows.hpp"

#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/emit/shadow_globals.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;

namespace assay::engine {

namespace {

enum class Use { read, added_to };

bool holds_floats(const Type &type) {
  return type.isFPOrFPVectorTy() ||
         any_of(type.subtypes(), [](const Type *inner) { return inner && holds_floats(*inner); });
}

/// Whether there are floats in the constant, or behind its pointers.
bool reaches_floats(const Constant &constant, SmallPtrSetImpl<const Constant *> &visited) {
  if (!visited.insert(&constant).second || isa<Function>(constant))
    return false;
  if (const auto *global = dyn_cast<GlobalVariable>(&constant)) {
    if (is_type_description(*global))
      return false;
    return holds_floats(*global->getValueType()) ||
           (global->hasInitializer() && reaches_floats(*global->getInitializer(), visited));
  }
  return any_of(constant.operands(), [&](const llvm::Use &operand) {
    const auto *inner = dyn_cast<Constant>(operand.get());
    return inner && reaches_floats(*inner, visited);
  });
}

class TableShadows {
public:
  TableShadows(Use use, const ShadowSet &set, const FunctionInfo &function_info)
      : use_(use), set_(set), function_info_(function_info) {}

  Constant *of(Constant &constant) {
    Type *type = constant.getType();
    if (auto *global = dyn_cast<GlobalVariable>(&constant))
      return of_global(*global);
    const auto *data = dyn_cast<ConstantDataSequential>(&constant);
    const bool is_number = type->isFPOrFPVectorTy() || (data && data->getElementType()->isFloatingPointTy());
    if (is_number || isa<UndefValue>(constant))
      return Constant::getNullValue(type);
    if (auto *aggregate = dyn_cast<ConstantAggregate>(&constant))
      return of_aggregate(*aggregate);
    auto *expression = dyn_cast<ConstantExpr>(&constant);
    return expression ? expression->getWithOperands(of_operands(*expression)) : &constant;
  }

private:
  SmallVector<Constant *, 8> of_operands(Constant &constant) {
    SmallVector<Constant *, 8> operands;
    for (llvm::Use &operand : constant.operands())
      operands.push_back(of(*cast<Constant>(operand.get())));
    return operands;
  }

  Constant *of_aggregate(ConstantAggregate &aggregate) {
    const auto elements = of_operands(aggregate);
    if (auto *type = dyn_cast<StructType>(aggregate.getType()))
      return ConstantStruct::get(type, elements);
    if (auto *type = dyn_cast<ArrayType>(aggregate.getType()))
      return ConstantArray::get(type, elements);
    return ConstantVector::get(elements);
  }

  Constant *of_global(GlobalVariable &global) {
    const bool has_own = may_have_shadow(global, function_info_);
    if (has_own && (!global.isConstant() || global.hasMetadata("enzyme_shadow")))
      return &shadow_global(global, set_, function_info_);
    SmallPtrSet<const Constant *, 8> visited;
    if (is_type_description(global) || (use_ == Use::read && !has_own && !reaches_floats(global, visited)))
      return &global;
    return copy_of(global, has_own ? set_.suffix() : "");
  }

  Constant *copy_of(GlobalVariable &global, const std::string &suffix) {
    Module &module = *global.getParent();
    const char *kind = use_ == Use::read ? ".assay_zeros" : ".assay_scratch";
    const std::string name = (global.getName() + kind + suffix).str();
    if (GlobalVariable *existing = module.getNamedGlobal(name))
      return existing;
    auto *copy = new GlobalVariable(module, global.getValueType(), use_ == Use::read, GlobalValue::InternalLinkage,
                                    Constant::getNullValue(global.getValueType()), name);
    copy->setAlignment(global.getAlign());
    if (global.hasInitializer()) // after it exists: tables may point to each other
      copy->setInitializer(of(*global.getInitializer()));
    return copy;
  }

  Use use_;
  const ShadowSet &set_;
  const FunctionInfo &function_info_;
};

} // namespace

Constant *zeros_of_constant(Constant &constant, const ShadowSet &set, const FunctionInfo &function_info) {
  return TableShadows(Use::read, set, function_info).of(constant);
}

Constant *scratch_of_constant(Constant &constant, const ShadowSet &set, const FunctionInfo &function_info) {
  return TableShadows(Use::added_to, set, function_info).of(constant);
}

} // namespace assay::engine
