// Derivatives that the user registered, called from forward mode.
//
// forward(x, dx, p, dp, ...) has the primal's parameters in order, each float or pointer followed by its shadow,
// integers alone. It replaces the primal call. It returns the tangent, or {primal, tangent}; the C ABI may have packed
// those into a vector or a wider integer, so what is not plainly a struct is taken apart through memory. When only a
// tangent comes back and the primal result is used, the primal is called first. At width W it is called once per lane;
// what the primal changes in memory is put back before each call but the first (`logged_writes.hpp`).
#include "core/engine/analysis/rule_shadows.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/emit/logged_writes.hpp"
#include "core/engine/emit/unshadowed_rule.hpp"
#include "core/engine/support/diagnostics.hpp"

using namespace llvm;

namespace assay::engine {

namespace {

bool may_carry_shadow(const Type *type) {
  return type->isPtrOrPtrVectorTy() || type->isFPOrFPVectorTy();
}

/// For each primal parameter, whether the rule takes a shadow after it; nothing when the signatures do not fit. Shadows
/// of floats and pointers are preferred, but a rule may leave out those that it knows to be constant.
bool match_parameters(FunctionType &primal, FunctionType &rule, unsigned argument, unsigned parameter,
                      SmallVectorImpl<bool> &shadowed) {
  if (argument == primal.getNumParams())
    return parameter == rule.getNumParams();
  Type *type = primal.getParamType(argument);
  const auto has = [&](unsigned index) { return index < rule.getNumParams() && rule.getParamType(index) == type; };
  if (!has(parameter))
    return false;
  for (const bool with : {may_carry_shadow(type), !may_carry_shadow(type)}) {
    if (with && !has(parameter + 1))
      continue;
    shadowed.push_back(with);
    if (match_parameters(primal, rule, argument + 1, parameter + (with ? 2 : 1), shadowed))
      return true;
    shadowed.pop_back();
  }
  return false;
}

enum class Returned : std::uint8_t { nothing, primal, tangent, both };

Returned classify_result(const DataLayout &layout, Type *primal, Type *rule, bool primal_has_lanes) {
  if (rule->isVoidTy() || primal->isVoidTy())
    return Returned::nothing;
  if (rule == primal)
    return primal_has_lanes ? Returned::tangent : Returned::primal;
  return layout.getTypeAllocSize(rule).getFixedValue() >= 2 * layout.getTypeAllocSize(primal).getFixedValue()
             ? Returned::both
             : Returned::nothing;
}

/// Which parameters of the rule are shadows.
SmallBitVector shadow_parameters(ArrayRef<bool> shadowed) {
  SmallBitVector shadows;
  for (const bool with : shadowed) {
    shadows.resize(shadows.size() + 1);
    if (with)
      shadows.resize(shadows.size() + 1, true);
  }
  return shadows;
}

bool is_differentiable(Type *type) {
  return type->isPtrOrPtrVectorTy() || type->isFPOrFPVectorTy() || type->isAggregateType();
}

} // namespace

/// False: the callee's body is to be differentiated instead.
bool ForwardEmitter::user_rule_fits(CallBase &original, const UserRule &rule) {
  if (!rule.forward)
    return false;
  SmallVector<bool, 8> shadowed;
  if (!match_parameters(*original.getFunctionType(), *rule.forward->getFunctionType(), 0, 0, shadowed))
    return true; // to be refused by name
  return rule.primal->isDeclaration() || without_constants(original, rule, shadowed);
}

/// The rule's forward function without shadows of constant memory, which has none; null where its code does not allow
/// that.
Function *ForwardEmitter::without_constants(CallBase &original, const UserRule &rule, ArrayRef<bool> shadowed) {
  SmallBitVector unshadowed;
  for (auto [argument, with] : zip(original.args(), shadowed)) {
    unshadowed.resize(unshadowed.size() + 1);
    if (with)
      unshadowed.resize(unshadowed.size() + 1, argument->getType()->isPointerTy() && !is_shadowed(*argument));
  }
  return unshadowed.none() ? rule.forward : without_shadows(*rule.forward, unshadowed);
}

Error ForwardEmitter::emit_user_rule(CallBase &original, const UserRule &rule) {
  const DataLayout &layout = derivative_.getDataLayout();
  FunctionType *type = rule.forward->getFunctionType();
  SmallVector<bool, 8> shadowed;
  Type *primal_type = original.getType();
  const Returned returned = classify_result(layout, primal_type, type->getReturnType(), is_differentiable(primal_type));
  const bool gives_tangent = returned == Returned::tangent || returned == Returned::both;
  if (!match_parameters(*original.getFunctionType(), *type, 0, 0, shadowed) ||
      (is_differentiable(primal_type) && !gives_tangent))
    return unsupported(original,
                       "the registered derivative '" + source_name(*rule.forward) +
                           "' does not fit the signature of '" + source_name(*rule.primal) + "'",
                       "give it the parameters (x, dx, ...) and return the tangent or {primal, tangent}");
  Function *forward = without_constants(original, rule, shadowed);
  if (!forward)
    return unsupported(original,
                       "the registered derivative '" + source_name(*rule.forward) +
                           "' wants a shadow of memory that is constant here",
                       "pass a shadow for it");
  const auto has_shadow = [&](const Use &argument) { return shadowed[argument.getOperandNo()]; };
  if (!request_.options.runtime_activity) // else the rule has to ask, which it does where a shadow is the memory itself
    if (Error error = refuse_constants_behind_shadows(original, *rule.forward, has_shadow, activity_))
      return error;
  for (auto [argument, with] : zip(original.args(), shadowed))
    if (!with && argument->getType()->isFPOrFPVectorTy() && is_shadowed(*argument))
      return unsupported(original,
                         "the registered derivative '" + source_name(*rule.forward) +
                             "' takes no tangent of argument " + std::to_string(argument.getOperandNo() + 1) +
                             ", which carries a derivative",
                         "give it the parameters (x, dx, ...)");

  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  const auto arguments_of = [&](unsigned lane) {
    SmallVector<Value *, 8> arguments;
    for (auto [argument, with] : zip(original.args(), shadowed)) {
      arguments.push_back(primal(*argument));
      if (with)
        arguments.push_back(argument->getType()->isPointerTy() && !is_shadowed(*argument)
                                ? Constant::getNullValue(argument->getType())
                                : lanes(*argument)[lane]);
    }
    return arguments;
  };
  const bool primal_used = !original.use_empty();
  const bool primal_first = returned == Returned::tangent && primal_used;
  SmallVector<Value *, 8> primal_arguments;
  for (Value *argument : original.args())
    primal_arguments.push_back(primal(*argument));
  Value *result = nullptr;
  std::optional<LoggedWrites> changed;
  if (primal_first || request_.width > 1) {
    Expected<bool> changes = changes_arguments(engine_, rule, shadow_parameters(shadowed));
    if (!changes)
      return changes.takeError();
    if (*changes) {
      Expected<LoggedWrites> logged = LoggedWrites::record(engine_, builder_, original, *rule.primal, primal_arguments);
      if (!logged)
        return logged.takeError();
      changed = *logged;
    }
  }
  if (primal_first && changed) {
    result = changed->result();
  } else if (primal_first) {
    auto *call = builder_.CreateCall(original.getFunctionType(), original.getCalledOperand(), primal_arguments);
    call->setCallingConv(original.getCallingConv());
    result = call;
  }
  SmallVector<CallBase *, 4> calls{place_call(original, forward, arguments_of(0))};
  for (unsigned lane = 1; lane < request_.width; ++lane) {
    if (changed)
      changed->put_back(builder_);
    CallInst *call = builder_.CreateCall(forward, arguments_of(lane));
    call->setCallingConv(forward->getCallingConv());
    calls.push_back(call);
  }
  if (changed)
    changed->end(builder_);

  Lanes tangents;
  for (CallBase *call : calls) {
    if (returned == Returned::both)
      tangents.push_back(take_part(*call, *primal_type, 1));
    else if (returned == Returned::tangent)
      tangents.push_back(call);
  }
  if (returned == Returned::both && primal_used)
    result = take_part(*calls.front(), *primal_type, 0);
  if (returned == Returned::primal)
    result = calls.front();
  if (gives_tangent && needs_lanes(original))
    set_lanes(original, tangents);
  replace_copy(original, result);
  return Error::success();
}

/// Member `index` of a result that holds two values of `type`, whatever the C ABI made of it.
Value *ForwardEmitter::take_part(CallBase &call, Type &type, unsigned index) {
  if (auto *pair = dyn_cast<StructType>(call.getType());
      pair && pair->getNumElements() == 2 && pair->getElementType(0) == &type && pair->getElementType(1) == &type)
    return builder_.CreateExtractValue(&call, index);
  AllocaInst *memory = nullptr;
  {
    IRBuilderBase::InsertPointGuard guard(builder_);
    builder_.SetInsertPointPastAllocas(&derivative_);
    memory = builder_.CreateAlloca(call.getType());
  }
  builder_.CreateStore(&call, memory);
  const auto offset = derivative_.getDataLayout().getTypeAllocSize(&type).getFixedValue() * index;
  return builder_.CreateAlignedLoad(&type, builder_.CreatePtrAdd(memory, builder_.getInt64(offset)), Align(1));
}

/// A rule of <assay/rules.hpp>: all lanes at once.
Error ForwardEmitter::emit_rule_template(CallBase &original, const RuleUse &use) {
  Expected<RuleInstance> instance =
      rule_instance(use, RuleStep::forward, engine_.function_info(), engine_.function_analyses());
  if (!instance)
    return unsupported(original, toString(instance.takeError()), "see docs/rules.md");
  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  SmallVector<Value *, 8> arguments;
  for (const Use &argument : original.args())
    arguments.push_back(primal(*argument.get()));
  for (auto [index, shadow] : enumerate(use.shadows))
    if (shadow == RuleUse::Shadow::passed)
      append_range(arguments, lanes(*original.getArgOperand(unsigned(index))));
  SmallVector<Value *, 8> results;
  if (instance->is_straight && !isa<InvokeInst>(original)) {
    results = place_straight(*instance, builder_, arguments);
  } else {
    CallBase *call = place_call(original, instance->function, arguments);
    for (unsigned index = 0; index < call->getType()->getStructNumElements(); ++index)
      results.push_back(builder_.CreateExtractValue(call, index));
  }
  const bool has_value = !original.getType()->isVoidTy();
  if (has_value && use.needs_shadow && !use.rule->returns_in_memory())
    set_lanes(original, Lanes(ArrayRef(results).slice(1, request_.width)));
  replace_copy(original, has_value ? results.front() : nullptr);
  return Error::success();
}

} // namespace assay::engine
