#include "core/engine/lowering/virtual_tables.hpp"
#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/lowering/resolve_function.hpp"
#include "core/engine/lowering/virtual_reverse.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/rules/stop_program.hpp"
#include "core/engine/support/constant_resolution.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// Or a thunk, which adjusts the object's address for one.
bool is_destructor(const Function &function) {
  return StringRef(demangle(function.getName())).contains("::~");
}

Constant *stopping_pair(Function &function) {
  Module &module = *function.getParent();
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  Function *stop = own_function(module, ("assay.no_derivative." + function.getName()).str(), type, [&](Function &body) {
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &body));
    emit_stop_with_message(builder, "assay: the function " + source_name(function) +
                                        " of a shadow of a virtual table has no derivative\n");
    builder.CreateUnreachable();
  });
  const std::string name = ("assay.pair." + function.getName() + ".stop").str();
  if (GlobalVariable *existing = module.getGlobalVariable(name, true))
    return existing;
  Constant *halves[] = {stop, stop};
  auto *pair = ArrayType::get(stop->getType(), 2);
  return new GlobalVariable(module, pair, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(pair, halves), name);
}

class ShadowTable {
public:
  explicit ShadowTable(DerivativeSource &engine) : engine_(engine) {}

  Constant *of(Constant &constant) {
    if (auto *function = dyn_cast<Function>(constant.stripPointerCastsAndAliases()))
      return of_function(*function);
    auto *aggregate = dyn_cast<ConstantAggregate>(&constant);
    if (!aggregate)
      return &constant;
    SmallVector<Constant *, 8> entries;
    for (const Use &entry : aggregate->operands())
      entries.push_back(of(*cast<Constant>(entry.get())));
    if (auto *type = dyn_cast<StructType>(aggregate->getType()))
      return ConstantStruct::get(type, entries);
    return ConstantArray::get(cast<ArrayType>(aggregate->getType()), entries);
  }

private:
  Constant *of_function(Function &function) {
    if (is_destructor(function) || library_role(function) == LibraryRole::never_called)
      return &function;
    Expected<Constant *> pair = derivative_pair(engine_, differentiable_function(function, engine_.function_info()));
    if (pair)
      return *pair;
    consumeError(pair.takeError());
    return stopping_pair(function);
  }

  DerivativeSource &engine_;
};

} // namespace

SmallVector<GlobalVariable *, 8> virtual_tables(Module &module) {
  SmallVector<GlobalVariable *, 8> tables;
  for (GlobalVariable &global : module.globals())
    if (is_virtual_table(global))
      tables.push_back(&global);
  return tables;
}

GlobalVariable &shadow_table(DerivativeSource &engine, GlobalVariable &table) {
  Module &module = engine.module();
  const std::string name = ("assay.pairs." + table.getName()).str();
  if (GlobalVariable *existing = module.getGlobalVariable(name, true))
    return *existing;
  auto *shadow = new GlobalVariable(module, table.getValueType(), /*isConstant=*/true, GlobalValue::InternalLinkage,
                                    ShadowTable(engine).of(*table.getInitializer()), name);
  shadow->setAlignment(table.getAlign());
  return *shadow;
}

TablePlace table_place(Value &pointer) {
  Constant *constant = resolve_constant(&pointer);
  if (!constant || !constant->getType()->isPointerTy())
    return TablePlace();
  auto *base = dyn_cast<GlobalVariable>(getUnderlyingObject(constant));
  if (!base || !is_type_description(*base))
    return TablePlace();
  const DataLayout &layout = base->getDataLayout();
  TablePlace place{base, APInt(layout.getIndexTypeSizeInBits(constant->getType()), 0)};
  const Value *found = constant->stripAndAccumulateConstantOffsets(layout, place.offset, /*AllowNonInbounds=*/true);
  return found == base ? place : TablePlace();
}

} // namespace assay::engine
