#include "core/engine/lowering/start_shadows.hpp"
#include "core/engine/lowering/shared_shadows.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/device_target.hpp"
#include "core/engine/support/shadow_name.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool is_variable_shadow(const GlobalVariable &global) {
  return !global.isConstant() && shadow_name(global);
}

/// Follows every reference from a function on: callees, tables, and their initialisers.
class References {
public:
  explicit References(Function &start) {
    visit(start);
    while (!open_.empty())
      follow(*open_.pop_back_val());
  }
  ReachedGlobals shadows;

private:
  void visit(Constant &constant) {
    if (!isa<GlobalValue, ConstantExpr, ConstantAggregate>(constant) || !seen_.insert(&constant).second)
      return;
    open_.push_back(&constant);
    if (auto *global = dyn_cast<GlobalVariable>(&constant); global && is_variable_shadow(*global))
      shadows.insert(global);
  }

  void visit_operands(User &user) {
    for (Value *operand : user.operand_values())
      if (auto *constant = dyn_cast<Constant>(operand))
        visit(*constant);
  }

  void follow(Constant &constant) {
    visit_operands(constant);
    if (auto *function = dyn_cast<Function>(&constant))
      for (Instruction &instruction : instructions(function))
        visit_operands(instruction);
  }

  SmallPtrSet<const Constant *, 32> seen_;
  SmallVector<Constant *, 32> open_;
};

bool any_shadow(const Module &module) {
  return any_of(module.globals(), is_variable_shadow);
}

bool holds(const Type &type, function_ref<bool(const Type &)> matches) {
  return matches(type) || any_of(type.subtypes(), [&](const Type *inner) { return inner && holds(*inner, matches); });
}
bool holds_floats(const Type &type) {
  return holds(type, [](const Type &inner) { return inner.isFloatingPointTy(); });
}
bool holds_others(const Type &type) {
  return holds(type, [](const Type &inner) { return inner.isPointerTy() || inner.isIntegerTy(); });
}

/// Writes code that clears the floats of one global, and leaves its pointers and integers.
class FloatClearing {
public:
  FloatClearing(const DataLayout &layout, Instruction &end) : layout_(layout), end_(end) {}

  void clear(Type *type, Value *address) {
    if (!holds_floats(*type) || layout_.getTypeAllocSize(type).isZero())
      return;
    if (!holds_others(*type)) {
      IRBuilder<> builder(&end_);
      builder.CreateMemSet(address, builder.getInt8(0), layout_.getTypeAllocSize(type).getFixedValue(), Align(1));
    } else if (auto *structure = dyn_cast<StructType>(type)) {
      for (unsigned index = 0; index < structure->getNumElements(); ++index)
        clear(structure->getElementType(index), IRBuilder<>(&end_).CreateStructGEP(type, address, index));
    } else if (auto *array = dyn_cast<ArrayType>(type)) {
      clear_each(*array, address);
    }
  }

private:
  void clear_each(ArrayType &array, Value *address) {
    Type *index_type = Type::getInt64Ty(end_.getContext());
    const auto [body, index] =
        SplitBlockAndInsertSimpleForLoop(ConstantInt::get(index_type, array.getNumElements()), end_.getIterator());
    IRBuilder<> builder(&*body);
    Value *element = builder.CreateGEP(&array, address, {builder.getInt64(0), index});
    FloatClearing(layout_, *body).clear(array.getElementType(), element);
  }

  const DataLayout &layout_;
  Instruction &end_;
};

Function &clearing_of(GlobalVariable &shadow) {
  Module &module = *shadow.getParent();
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  return *own_function(module, "assay.clear." + shadow.getName().str(), type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
    FloatClearing(module.getDataLayout(), *builder.CreateRetVoid()).clear(shadow.getValueType(), &shadow);
  });
}

} // namespace

ReachedGlobals reached_shadows(Function &function) {
  return any_shadow(*function.getParent()) ? References(function).shadows : ReachedGlobals();
}

std::set<std::string> names_of_sets(const ReachedGlobals &shadows) {
  std::set<std::string> suffixes;
  for (const GlobalVariable *shadow : shadows)
    suffixes.insert(shadow_name(*shadow)->suffix.str());
  return suffixes;
}

unsigned derivative_order(Function &function, Mode mode) {
  const ReachedGlobals reached = reached_shadows(function);
  Request request;
  request.mode = mode;
  const auto is_used = [&] {
    const std::string suffix = shadow_set(request, 0).suffix();
    return any_of(reached, [&](const GlobalVariable *shadow) {
      const StringRef name = shadow_name(*shadow)->suffix;
      return name == suffix || name.starts_with(suffix + ".");
    });
  };
  while (is_used())
    ++request.options.order;
  return request.options.order;
}

void clear_numbers(IRBuilderBase &builder, const ReachedGlobals &shadows) {
  SmallVector<GlobalVariable *, 4> shared;
  for (GlobalVariable *shadow : shadows) {
    if (is_shared_memory(*shadow))
      shared.push_back(shadow);
    else if (holds_floats(*shadow->getValueType()))
      builder.CreateCall(&clearing_of(*shadow));
  }
  clear_shared(builder, shared);
}

} // namespace assay::engine
