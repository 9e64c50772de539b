#include "core/engine/support/rule_adapters.hpp"
#include "core/engine/support/passed_values.hpp"
#include "core/engine/support/type_content.hpp"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace assay::engine {
namespace {

bool takes_shadow(const Type &type) {
  return contains_floating(&type) || type.isPtrOrPtrVectorTy();
}

bool passes_structs(const Function &function) {
  return function.hasStructRetAttr() ||
         any_of(function.args(), [](const Argument &argument) { return argument.hasByValAttr(); });
}

/// What a registered function takes and returns, in single values.
struct Shape {
  explicit Shape(Function &primal) : parameters(values_passed_to(primal)), result(returned_type(primal)) {}

  bool is_spread() const {
    return result->isAggregateType() ||
           any_of(parameters, [](const PassedValue &value) { return value.in_memory || value.parts.size() > 1; });
  }

  SmallVector<PassedValue, 8> parameters;
  Type *result;
};

/// Writes an adapter: its parameters are given one by one, in the order in which the body wants them.
class AdapterWriter {
public:
  AdapterWriter(Function &rule, ArrayRef<Type *> parameters, Type &result)
      : rule_(rule),
        adapter_(Function::Create(FunctionType::get(&result, parameters, false), GlobalValue::InternalLinkage,
                                  rule.getName() + ".adapted", *rule.getParent())),
        builder_(BasicBlock::Create(rule.getContext(), "", adapter_)), passing_(builder_, rule) {}

  IRBuilder<> &builder() { return builder_; }
  Value *argument(unsigned index) { return adapter_->getArg(index); }
  void pass(ArrayRef<Value *> parts) { passing_.pass(parts); }
  const Argument *next() const { return passing_.next(); }

  /// The call of the rule, or null where what was passed does not fit it.
  Value *call() {
    CallInst *call = passing_.is_complete() ? passing_.call(result_memory_) : nullptr;
    call_ = call;
    if (!call)
      return nullptr;
    return result_memory_ ? load_parts(builder_, *returned_type(rule_), result_memory_) : call;
  }

  /// The rule's body becomes the adapter's, so that what is asked of the adapter can be seen.
  Function *finish(Value *result) {
    result ? builder_.CreateRet(result) : builder_.CreateRetVoid();
    if (!rule_.isDeclaration()) {
      InlineFunctionInfo info;
      InlineFunction(*call_, info);
      stripDebugInfo(*adapter_);
    }
    return adapter_;
  }

  Function *give_up() {
    adapter_->eraseFromParent();
    return &rule_;
  }

private:
  Function &rule_;
  Function *adapter_;
  IRBuilder<> builder_;
  PassingCall passing_;
  CallInst *call_ = nullptr;
  AllocaInst *result_memory_ = nullptr;
};

/// Parameters as the emitters give them: each value, followed by its shadow where `has_shadow` says so.
SmallVector<Type *, 8> parameters_of(const Shape &shape, function_ref<bool(const Type &)> has_shadow) {
  SmallVector<Type *, 8> types;
  for (const PassedValue &value : shape.parameters)
    for (const Part &part : value.parts)
      types.append(has_shadow(*part.type) ? 2 : 1, part.type);
  return types;
}

/// Values and shadows of structs, one whole after the other, as C has them. The number of parameters that were read.
unsigned pass_with_shadows(AdapterWriter &writer, const Shape &shape, function_ref<bool(const Type &)> has_shadow) {
  unsigned next = 0;
  for (const PassedValue &value : shape.parameters) {
    SmallVector<Value *, 4> primals, shadows;
    bool any_shadow = false;
    for (const Part &part : value.parts) {
      primals.push_back(writer.argument(next++));
      const bool shadowed = has_shadow(*part.type);
      shadows.push_back(shadowed ? writer.argument(next++) : primals.back());
      any_shadow |= shadowed;
    }
    writer.pass(primals);
    if (any_shadow)
      writer.pass(shadows);
  }
  return next;
}

bool is_pointer(const Type &type) {
  return type.isPtrOrPtrVectorTy();
}

/// {tape, primal}, or {tape, primal, shadow} for a pointer; what the rule returns where it is none of that.
StructType *augmented_result(const Function &augmented, Type &primal) {
  auto *returned = dyn_cast<StructType>(returned_type(augmented));
  if (!returned || returned == &primal || primal.isVoidTy() || returned->getNumElements() < 2 ||
      !returned->getElementType(0)->isPointerTy())
    return nullptr;
  SmallVector<Type *, 3> members{returned->getElementType(0), &primal};
  if (primal.isPointerTy() && returned->getNumElements() == 3)
    members.push_back(&primal);
  StructType *result = StructType::get(augmented.getContext(), members);
  const DataLayout &layout = augmented.getDataLayout();
  return layout.getTypeAllocSize(result) <= layout.getTypeAllocSize(returned) ? result : nullptr;
}

Function *adapted_augmented(Function &augmented, const Shape &shape) {
  StructType *result = augmented_result(augmented, *shape.result);
  Type *returned = returned_type(augmented);
  AdapterWriter writer(augmented, parameters_of(shape, is_pointer), result ? *result : *returned);
  pass_with_shadows(writer, shape, is_pointer);
  Value *value = writer.call();
  if (!value)
    return writer.give_up();
  if (result && result != returned)
    value = same_bytes(writer.builder(), value, *result);
  return writer.finish(returned->isVoidTy() ? nullptr : value);
}

Function *adapted_reverse(Function &reverse, const Shape &shape, bool takes_seed, bool takes_tape) {
  SmallVector<Type *, 8> parameters = parameters_of(shape, is_pointer);
  if (takes_seed)
    parameters.push_back(shape.result);
  if (takes_tape)
    parameters.push_back(PointerType::getUnqual(reverse.getContext()));
  AdapterWriter writer(reverse, parameters, *returned_type(reverse));
  unsigned next = pass_with_shadows(writer, shape, is_pointer);
  if (takes_seed)
    writer.pass(parts_of(writer.builder(), writer.argument(next++)));
  if (takes_tape)
    writer.pass({writer.argument(next)});
  Value *value = writer.call();
  if (!value)
    return writer.give_up();
  return writer.finish(value->getType()->isVoidTy() ? nullptr : value);
}

/// A seed and a tape are taken by what the arguments leave over; a tape alone is more likely than a seed alone.
Function *adapted_reverse(Function &reverse, const Shape &shape) {
  const bool has_seed = contains_floating(shape.result) && !contains_pointer(shape.result);
  for (const auto [seed, tape] : {std::pair(true, true), {false, true}, {true, false}, {false, false}})
    if (has_seed || !seed)
      if (Function *adapter = adapted_reverse(reverse, shape, seed, tape); adapter != &reverse)
        return adapter;
  return &reverse;
}

Function *adapted_forward(Function &forward, const Shape &shape) {
  AdapterWriter writer(forward, parameters_of(shape, takes_shadow), *returned_type(forward));
  pass_with_shadows(writer, shape, takes_shadow);
  Value *value = writer.call();
  if (!value)
    return writer.give_up();
  return writer.finish(value->getType()->isVoidTy() ? nullptr : value);
}

/// The registered function itself.
Function *simple_form(Function &primal, const Shape &shape) {
  if (!passes_structs(primal))
    return &primal;
  SmallVector<Type *, 8> parameters = parameters_of(shape, [](const Type &) { return false; });
  auto *simple = Function::Create(FunctionType::get(shape.result, parameters, false), GlobalValue::InternalLinkage,
                                  primal.getName() + ".simple", *primal.getParent());
  IRBuilder<> builder(BasicBlock::Create(primal.getContext(), "", simple));
  PassingCall passing(builder, primal);
  unsigned next = 0;
  for (const PassedValue &value : shape.parameters) {
    SmallVector<Value *, 4> parts;
    for (unsigned part = 0; part < value.parts.size(); ++part)
      parts.push_back(simple->getArg(next++));
    passing.pass(parts);
  }
  AllocaInst *memory = nullptr;
  Value *result = passing.call(memory);
  if (memory)
    result = load_parts(builder, *shape.result, memory);
  shape.result->isVoidTy() ? builder.CreateRetVoid() : builder.CreateRet(result);
  return simple;
}

bool needs_adapter(const Function *rule, const Shape &shape) {
  return rule && (passes_structs(*rule) || shape.is_spread());
}

void adapt(Function &primal, UserRule rule, FunctionInfo &function_info) {
  const Shape shape(primal);
  const bool any = needs_adapter(rule.augmented, shape) || needs_adapter(rule.reverse, shape) ||
                   needs_adapter(rule.forward, shape) || passes_structs(primal);
  if (!any || primal.isVarArg())
    return;
  if (needs_adapter(rule.augmented, shape))
    rule.augmented = adapted_augmented(*rule.augmented, shape);
  if (needs_adapter(rule.reverse, shape))
    rule.reverse = adapted_reverse(*rule.reverse, shape);
  if (needs_adapter(rule.forward, shape))
    rule.forward = adapted_forward(*rule.forward, shape);
  function_info.adapt_rule(primal, rule, *simple_form(primal, shape));
}

void call_simple_form(CallBase &call, Function &simple) {
  Function &primal = *call.getCalledFunction();
  IRBuilder<> builder(&call);
  SmallVector<Value *, 8> arguments;
  for (const PassedValue &value : values_passed_to(primal))
    for (unsigned part = 0; part < value.parts.size(); ++part) {
      Value *operand = call.getArgOperand(value.first + (value.in_memory ? 0 : part));
      arguments.push_back(value.in_memory ? load_part(builder, value.parts[part], operand) : operand);
    }
  CallBase *fresh = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    fresh = builder.CreateInvoke(&simple, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  else
    fresh = builder.CreateCall(&simple, arguments);
  builder.SetInsertPoint(&**fresh->getInsertionPointAfterDef());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  if (primal.hasStructRetAttr())
    store_parts(builder, fresh, call.getArgOperand(0));
  else
    call.replaceAllUsesWith(fresh);
  call.eraseFromParent();
}

} // namespace

void adapt_rules(Module &module, FunctionInfo &function_info) {
  SmallVector<Function *, 8> primals;
  for (Function &function : module)
    if (const UserRule *rule = function_info.rule(function); rule && !rule->rule_template)
      primals.push_back(&function);
  for (Function *primal : primals)
    adapt(*primal, *function_info.rule(*primal), function_info);
}

void call_simple_forms(Function &function, const Function &source, const FunctionInfo &function_info) {
  SmallVector<CallBase *, 4> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && callee->getFunctionType() == call->getFunctionType() && function_info.simple_form(*callee) &&
          function_info.simple_form(*callee) != &source)
        calls.push_back(call);
  for (CallBase *call : calls)
    call_simple_form(*call, *function_info.simple_form(*call->getCalledFunction()));
}

} // namespace assay::engine
