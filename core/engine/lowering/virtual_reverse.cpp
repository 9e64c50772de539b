#include "core/engine/lowering/virtual_reverse.hpp"
#include "core/engine/analysis/global_variables.hpp"
#include "core/engine/lowering/dispatch.hpp"
#include "core/engine/lowering/resolve_function.hpp"
#include "core/engine/lowering/virtual_tables.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/open_calls.hpp"
#include "core/engine/support/source_signature.hpp"
#include "core/engine/support/type_content.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

Request default_request(Function &function) {
  Request request;
  request.function = &function;
  request.mode = Mode::augmented;
  request.caller = Caller::derivative;
  for (const Argument &argument : function.args()) {
    Type *type = argument.getType();
    request.argument_activity.push_back(contains_pointer(type)    ? Activity::duplicated
                                        : contains_floating(type) ? Activity::active
                                                                  : Activity::constant);
  }
  Type *returned = function.getReturnType();
  if (contains_pointer(returned))
    request.return_activity = Activity::duplicated;
  else if (contains_floating(returned))
    request.return_activity = Activity::active;
  request.primal_return = returned->isVoidTy() ? PrimalReturn::omit : PrimalReturn::keep;
  return request;
}

/// The engine's augmented pass takes a list of shadows to release, which nobody keeps here.
Function &without_list(Function &augmented, unsigned list) {
  SmallVector<Type *, 8> parameters(augmented.getFunctionType()->params());
  parameters.erase(parameters.begin() + list);
  auto *type = FunctionType::get(augmented.getReturnType(), parameters, false);
  const std::string name = (augmented.getName() + ".virtual").str();
  return *own_function(*augmented.getParent(), name, type, [&](Function &function) {
    IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
    SmallVector<Value *, 8> arguments;
    for (Argument &argument : function.args())
      arguments.push_back(&argument);
    arguments.insert(arguments.begin() + list, ConstantPointerNull::get(builder.getPtrTy()));
    builder.CreateRet(builder.CreateCall(&augmented, arguments));
    function.setDoesNotThrow();
    if (!augmented.doesNotThrow())
      function.removeFnAttr(Attribute::NoUnwind);
  });
}

bool passes_structs_in_memory(const Function &function) {
  return any_of(function.args(),
                [](const Argument &argument) { return argument.hasByValAttr() || argument.hasStructRetAttr(); });
}

} // namespace

Expected<Constant *> derivative_pair(DerivativeSource &engine, Function &function) {
  if (passes_structs_in_memory(function))
    return unsupported(function, nullptr,
                       "__enzyme_virtualreverse of a function with a struct that is passed in memory",
                       "pass the struct by pointer");
  Request request = default_request(function);
  Expected<Function *> augmented = engine.derivative(request);
  if (!augmented)
    return augmented.takeError();
  const unsigned list = *DerivativeAbi(request).deferred_frees_parameter();
  request.mode = Mode::split_reverse;
  Expected<Function *> reverse = engine.derivative(request);
  if (!reverse)
    return reverse.takeError();
  const std::string name = ("assay.pair." + function.getName()).str();
  Module &module = engine.module();
  if (GlobalVariable *existing = module.getGlobalVariable(name, true))
    return existing;
  Constant *halves[] = {&without_list(**augmented, list), *reverse};
  auto *type = ArrayType::get(halves[0]->getType(), 2);
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(type, halves), name);
}

namespace {

/// The shadow of each candidate that a pointer is compared with while the program runs.
struct RunTimeShadows {
  SmallVector<Function *, 8> functions;
  SmallVector<Constant *, 8> pairs;
  SmallVector<GlobalVariable *, 8> tables, shadow_tables;
};

RunTimeShadows shadows_at_run_time(DerivativeSource &engine, ArrayRef<Function *> candidates) {
  RunTimeShadows shadows;
  for (Function *candidate : candidates) {
    if (asks_for_derivatives(*candidate))
      continue;
    Expected<Constant *> pair = derivative_pair(engine, differentiable_function(*candidate, engine.function_info()));
    if (!pair) {
      consumeError(pair.takeError());
      continue;
    }
    shadows.functions.push_back(candidate);
    shadows.pairs.push_back(*pair);
  }
  shadows.tables = virtual_tables(engine.module());
  for (GlobalVariable *table : shadows.tables)
    shadows.shadow_tables.push_back(&shadow_table(engine, *table));
  return shadows;
}

Value *distance(IRBuilderBase &builder, Value &pointer, GlobalVariable &table) {
  Type *word = builder.getIntPtrTy(table.getDataLayout());
  return builder.CreateSub(builder.CreatePtrToInt(&pointer, word), builder.CreatePtrToInt(&table, word));
}

Value *is_inside(IRBuilderBase &builder, Value &pointer, GlobalVariable &table) {
  Value *offset = distance(builder, pointer, table);
  const std::uint64_t size = table.getDataLayout().getTypeAllocSize(table.getValueType());
  return builder.CreateICmpULT(offset, ConstantInt::get(offset->getType(), size));
}

Value *choose_at_run_time(CallBase &call, const RunTimeShadows &shadows) {
  Value *pointer = function_pointer(call);
  const unsigned functions = shadows.functions.size();
  return emit_choice(
      call, functions + shadows.tables.size(),
      [&](IRBuilderBase &builder, unsigned index) {
        return index < functions ? builder.CreateICmpEQ(pointer, shadows.functions[index])
                                 : is_inside(builder, *pointer, *shadows.tables[index - functions]);
      },
      [&](IRBuilderBase &builder, unsigned index) -> Value * {
        if (index < functions)
          return shadows.pairs[index];
        GlobalVariable &table = *shadows.tables[index - functions];
        return builder.CreateGEP(builder.getInt8Ty(), shadows.shadow_tables[index - functions],
                                 distance(builder, *pointer, table));
      });
}

Expected<Value *> shadow_of_place(DerivativeSource &engine, CallBase &call, const TablePlace &place) {
  if (!is_virtual_table(*place.table))
    return unsupported(call, "the virtual table given to __enzyme_virtualreverse is of another file",
                       "ask for it in the file that defines the first virtual function of the class");
  IRBuilder<> builder(&call);
  return builder.CreateGEP(builder.getInt8Ty(), &shadow_table(engine, *place.table), builder.getInt(place.offset));
}

} // namespace

Expected<Value *> emit_virtual_reverse(DerivativeSource &engine, CallBase &call, ArrayRef<Function *> candidates) {
  if (Function *known = resolve_function(call))
    return derivative_pair(engine, differentiable_function(*known, engine.function_info()));
  if (const TablePlace place = table_place(*call.getArgOperand(first_argument(call))); place.table)
    return shadow_of_place(engine, call, place);
  const RunTimeShadows shadows = shadows_at_run_time(engine, candidates);
  if (shadows.functions.empty() && shadows.tables.empty())
    return nullptr;
  return choose_at_run_time(call, shadows);
}

} // namespace assay::engine
