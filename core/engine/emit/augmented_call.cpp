#include "core/engine/emit/augmented_call.hpp"
#include "core/engine/emit/logged_writes.hpp"
#include "core/engine/emit/rule_lanes.hpp"
#include "core/engine/emit/rule_template_call.hpp"
#include "core/engine/emit/tapeless_rule.hpp"
#include "core/engine/emit/unshadowed_rule.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/type_content.hpp"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {

namespace {

/// A call or invoke of `callee` in place of the sweep's copy of the primal call.
CallBase *replace_callee(CallBase &old_call, Function &callee, ArrayRef<Value *> arguments) {
  IRBuilder<> builder(&old_call);
  CallBase *fresh = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&old_call))
    fresh = builder.CreateInvoke(callee.getFunctionType(), &callee, invoke->getNormalDest(), invoke->getUnwindDest(),
                                 arguments);
  else
    fresh = builder.CreateCall(callee.getFunctionType(), &callee, arguments);
  fresh->setCallingConv(callee.getCallingConv());
  fresh->setDebugLoc(old_call.getDebugLoc());
  return fresh;
}

void set_results(ForwardSweep &sweep, const CallBase &call, CallBase &old_call, Value *primal, Lanes shadow) {
  if (primal) {
    primal->takeName(&old_call);
    old_call.replaceAllUsesWith(primal);
  }
  old_call.eraseFromParent();
  sweep.map[&call] = primal;
  if (!shadow.empty())
    sweep.shadows[&call] = std::move(shadow);
}

/// Nothing is padded or converted: rules are written in the types of the function they belong to.
Error rule_mismatch(const CallBase &call, const Function &half, const Twine &detail) {
  return unsupported(call, "the registered derivative '" + source_name(half) + "' does not fit: " + detail,
                     "see the convention of __enzyme_register_gradient");
}

// --- the user's rule -------------------------------------------------------------------------------------------------

/// The parameters of a rule's two halves that are shadows of constant memory.
SmallBitVector shadows_of_constants(const ForwardSweep &sweep, const CallBase &call) {
  SmallBitVector shadows;
  for (const Use &argument : call.args()) {
    shadows.resize(shadows.size() + 1);
    if (argument->getType()->isPointerTy())
      shadows.resize(shadows.size() + 1, !isa<Constant>(argument.get()) && !sweep.shadows.contains(argument.get()));
  }
  return shadows;
}

/// A rule that asks for no shadows of constant memory, as far as its code allows.
struct FittingRule {
  Function *augmented, *reverse;
  SmallBitVector unshadowed; ///< Parameters for which null is passed.
};

FittingRule fitting_rule(const ForwardSweep &sweep, const CallBase &call, const UserRule &rule) {
  FittingRule as_it_is{rule.augmented, rule.reverse, {}};
  const SmallBitVector shadows = shadows_of_constants(sweep, call);
  if (shadows.none() || shadows.size() != rule.augmented->arg_size() || shadows.size() > rule.reverse->arg_size())
    return as_it_is;
  Function *augmented = without_shadows(*rule.augmented, shadows);
  Function *reverse = augmented ? without_shadows(*rule.reverse, shadows) : nullptr;
  return reverse ? FittingRule{augmented, reverse, shadows} : as_it_is;
}

/// Arguments in the order of a rule: each primal argument, followed by its shadow when it is a pointer.
Expected<SmallVector<Value *, 8>> rule_arguments(ForwardSweep &sweep, const CallBase &call, const FittingRule &rule,
                                                 unsigned lane) {
  SmallVector<Value *, 8> arguments;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    const Value *argument = call.getArgOperand(index);
    arguments.push_back(sweep.primal(argument));
    if (!argument->getType()->isPointerTy())
      continue;
    if (arguments.size() < rule.unshadowed.size() && rule.unshadowed.test(arguments.size())) {
      arguments.push_back(Constant::getNullValue(argument->getType()));
      continue;
    }
    Expected<Lanes> shadow = shadow_of(sweep, argument, call);
    if (!shadow)
      return shadow.takeError();
    arguments.push_back((*shadow)[lane]);
  }
  return arguments;
}

Error check_augmented(const CallBase &call, Function &augmented, ArrayRef<Value *> arguments) {
  FunctionType *type = augmented.getFunctionType();
  for (unsigned index = 0; index < arguments.size(); ++index)
    if (type->getParamType(index) != arguments[index]->getType())
      return rule_mismatch(call, augmented, "parameter " + Twine(index + 1) + " has another type");
  return Error::success();
}

/// What an augmented pass returned.
struct AugmentedResult {
  Value *tape = nullptr, *primal = nullptr, *shadow = nullptr;
};

std::optional<AugmentedResult> take_apart(CallBase &augmented, Type *wanted) {
  Type *result = augmented.getType();
  if (result->isVoidTy())
    return AugmentedResult();
  if (wanted->isVoidTy())
    return AugmentedResult{&augmented, nullptr, nullptr};
  if (result == wanted)
    return AugmentedResult{nullptr, &augmented, nullptr};
  auto *parts = dyn_cast<StructType>(result);
  const unsigned count = parts ? parts->getNumElements() : 0;
  const bool has_shadow = count == 3 && wanted->isPointerTy() && parts->getElementType(2) == wanted;
  if ((count != 2 && !has_shadow) || parts->getElementType(1) != wanted)
    return std::nullopt;
  IRBuilder<> builder(&**augmented.getInsertionPointAfterDef());
  Value *tape = builder.CreateExtractValue(&augmented, 0, "tape");
  Value *primal = builder.CreateExtractValue(&augmented, 1);
  return AugmentedResult{tape, primal, has_shadow ? builder.CreateExtractValue(&augmented, 2, "shadow") : nullptr};
}

/// A rule's reverse pass may take the adjoint of such a result.
bool is_seeded(const Type &type) {
  return contains_floating(&type) && !contains_pointer(&type);
}

/// How many scalars there are in a tape: a struct by value may be spread over so many parameters.
unsigned count_scalars(const Type &type) {
  if (!type.isAggregateType())
    return 1;
  unsigned count = 0;
  if (const auto *array = dyn_cast<ArrayType>(&type))
    return static_cast<unsigned>(array->getNumElements()) * count_scalars(*array->getElementType());
  for (const Type *element : type.subtypes())
    count += count_scalars(*element);
  return count;
}

/// reverse(arguments..., [seed], [tape]): the parameters that are left over tell which of the two it takes.
Error match_reverse(const CallBase &call, const FittingRule &rule, AugmentedCall &record) {
  RuleLane &first = record.rule_lanes.front();
  const unsigned taken = rule.reverse->arg_size(), arguments = first.arguments.size();
  const unsigned extra = taken - std::min(taken, arguments);
  const bool has_seed = is_seeded(*call.getType());
  const unsigned seeds = has_seed ? 1 : 0, expected = seeds + (first.tape ? 1 : 0);
  if (first.tape && extra > expected && taken >= arguments && extra == seeds + count_scalars(*first.tape->getType())) {
    record.takes_seed = has_seed;
    return Error::success();
  }
  if (taken < arguments || extra > expected)
    return rule_mismatch(call, *rule.reverse,
                         "it takes " + Twine(taken) + " parameters, expected " + Twine(arguments + expected));
  record.takes_seed = has_seed && extra >= 1;
  if (extra != unsigned(record.takes_seed) + 1)
    for (RuleLane &lane : record.rule_lanes)
      lane.tape = nullptr;
  return Error::success();
}

/// The augmented pass does what the function does: where that changes memory of its arguments, the pass changes it too.
Expected<bool> augmented_changes_arguments(ForwardSweep &sweep, const UserRule &registered) {
  Expected<bool> by_augmented = may_write_arguments(sweep.engine, *registered.augmented);
  return by_augmented && *by_augmented ? may_write_arguments(sweep.engine, *registered.primal)
                                       : std::move(by_augmented);
}

/// What the function changes, to be put back before the pass runs for the next lane; nothing where it is not seen.
std::optional<LoggedWrites> changes_of_function(ForwardSweep &sweep, const CallBase &call, Function &primal,
                                                CallBase &augmented) {
  IRBuilder<> builder(&augmented);
  SmallVector<Value *, 8> arguments;
  for (const Use &argument : call.args())
    arguments.push_back(sweep.primal(argument));
  Expected<LoggedWrites> changes = LoggedWrites::record(sweep.engine, builder, call, primal, arguments);
  if (changes)
    return *changes;
  consumeError(changes.takeError());
  return std::nullopt;
}

/// The augmented pass for the lanes behind the first: again for each, or only once for all where it changes memory in a
/// way that is not seen. Adds to the shadows of the result where there are any.
Error augment_further_lanes(ForwardSweep &sweep, const CallBase &call, const FittingRule &rule,
                            const UserRule &registered, AugmentedCall &record, Lanes &shadow) {
  if (sweep.width == 1)
    return Error::success();
  Expected<bool> changes = augmented_changes_arguments(sweep, registered);
  if (!changes)
    return changes.takeError();
  std::optional<LoggedWrites> changed;
  if (*changes)
    changed = changes_of_function(sweep, call, *registered.primal, *record.call);
  const bool only_once = *changes && !changed && shadow.empty();
  if (only_once)
    record.keeping_reverse = &without_releases(*rule.reverse, sweep.engine.function_info());
  IRBuilder<> builder(&**record.call->getInsertionPointAfterDef());
  for (unsigned index = 1; index < sweep.width; ++index) {
    Expected<SmallVector<Value *, 8>> arguments = rule_arguments(sweep, call, rule, index);
    if (!arguments)
      return arguments.takeError();
    RuleLane lane{*arguments, record.rule_lanes.front().tape};
    if (!only_once) {
      if (changed)
        changed->put_back(builder);
      CallInst *again = builder.CreateCall(rule.augmented, lane.arguments);
      again->setCallingConv(rule.augmented->getCallingConv());
      const AugmentedResult result = *take_apart(*again, call.getType());
      lane.tape = result.tape;
      if (result.shadow)
        shadow.push_back(result.shadow);
    }
    record.rule_lanes.push_back(std::move(lane));
  }
  if (changed)
    changed->end(builder);
  return Error::success();
}

Error augment_by_rule(ForwardSweep &sweep, const CallBase &call, const UserRule &registered) {
  const std::size_t expected = shadows_of_constants(sweep, call).size();
  if (registered.augmented->arg_size() != expected)
    return rule_mismatch(call, *registered.augmented,
                         "it takes " + Twine(registered.augmented->arg_size()) + " parameters, expected " +
                             Twine(expected) + ": each pointer is followed by its shadow");
  UserRule with_result = registered;
  if (Error error = augmented_with_result(sweep.engine, call, registered).moveInto(with_result.augmented))
    return error;
  const FittingRule rule = fitting_rule(sweep, call, with_result);
  AugmentedCall record;
  record.by_user_rule = true;
  record.reverse = rule.reverse;
  record.activities = sweep.activity.call_arguments(call);
  Expected<SmallVector<Value *, 8>> arguments = rule_arguments(sweep, call, rule, 0);
  if (!arguments)
    return arguments.takeError();
  if (Error error = check_augmented(call, *rule.augmented, *arguments))
    return error;
  auto *old_call = cast<CallBase>(sweep.primal(&call));
  record.call = replace_callee(*old_call, *rule.augmented, *arguments);
  const std::optional<AugmentedResult> result = take_apart(*record.call, call.getType());
  if (!result)
    return rule_mismatch(call, *rule.augmented, "it must return the tape and the value of the function");
  if (!result->shadow && call.getType()->isPointerTy() && sweep.activity.has_shadow(call))
    return rule_mismatch(call, *rule.augmented, "it must return the tape, the address and the address of the shadow");
  record.rule_lanes.push_back({*arguments, result->tape});
  Lanes shadow;
  if (result->shadow)
    shadow.push_back(result->shadow);
  if (Error error = augment_further_lanes(sweep, call, rule, registered, record, shadow))
    return error;
  if (Error error = match_reverse(call, rule, record))
    return error;
  set_results(sweep, call, *old_call, result->primal, std::move(shadow));
  sweep.calls[&call] = std::move(record);
  return Error::success();
}

// --- the engine's own derivative -------------------------------------------------------------------------------------

/// The call of the augmented half takes the callee's arguments and shadows in the order of its parameters.
Expected<SmallVector<Value *, 8>> split_arguments(ForwardSweep &sweep, const CallBase &call, const CallPlan &plan) {
  SmallVector<Value *, 8> arguments;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    const Value *argument = call.getArgOperand(index);
    arguments.push_back(sweep.primal(argument));
    if (!is_duplicated(plan.request.argument_activity[index]))
      continue;
    Expected<Lanes> shadow = is_contained(plan.own_shadows, index)
                                 ? Expected<Lanes>(Lanes(sweep.width, sweep.primal(argument)))
                                 : shadow_of(sweep, argument, call);
    if (!shadow)
      return shadow.takeError();
    arguments.append(shadow->begin(), shadow->end());
  }
  return arguments;
}

Error augment_by_engine(ForwardSweep &sweep, const CallBase &call, const CallPlan &plan) {
  const DerivativeAbi abi(plan.request);
  Expected<SmallVector<Value *, 8>> arguments = split_arguments(sweep, call, plan);
  if (!arguments)
    return arguments.takeError();
  AugmentedCall record;
  record.reverse = plan.reverse;
  record.activities = plan.request.argument_activity;
  record.takes_seed = plan.request.return_activity == Activity::active;
  for (auto [index, argument] : enumerate(*arguments))
    record.reverse_arguments.push_back(plan.kept_arguments.test(unsigned(index)) ? argument : nullptr);

  auto *no_list = ConstantPointerNull::get(PointerType::getUnqual(call.getContext()));
  arguments->push_back(plan.passes_list ? sweep.deferred_frees() : no_list);
  auto *old_call = cast<CallBase>(sweep.primal(&call));
  record.call = replace_callee(*old_call, *plan.augmented, *arguments);
  IRBuilder<> builder(&**record.call->getInsertionPointAfterDef());
  Value *tape = builder.CreateExtractValue(record.call, *abi.tape_result(), "tape");
  record.tape = plan.keeps_tape ? tape : nullptr;
  Value *primal = nullptr;
  if (std::optional<unsigned> index = abi.primal_result())
    primal = builder.CreateExtractValue(record.call, *index);
  Lanes shadow;
  if (abi.shadow_result(0))
    for (unsigned lane = 0; lane < sweep.width; ++lane)
      shadow.push_back(builder.CreateExtractValue(record.call, *abi.shadow_result(lane), "shadow"));
  set_results(sweep, call, *old_call, primal, std::move(shadow));
  sweep.calls[&call] = std::move(record);
  return Error::success();
}

void stop_at(ForwardSweep &sweep, const CallBase &call) {
  IRBuilder<> builder(cast<Instruction>(sweep.primal(&call)));
  emit_stop(builder);
  if (sweep.activity.has_shadow(call))
    sweep.shadows[&call] = Lanes(sweep.width, PoisonValue::get(call.getType()));
}

} // namespace

Error augment_call(ForwardSweep &sweep, const CallBase &call, const CallPlan &plan) {
  switch (plan.form) {
  case CallPlan::Form::rule:
    return augment_by_rule(sweep, call, *plan.rule);
  case CallPlan::Form::rule_template:
    return augment_by_template(sweep, call, plan);
  case CallPlan::Form::engine:
    return augment_by_engine(sweep, call, plan);
  case CallPlan::Form::stop:
    stop_at(sweep, call);
    return Error::success();
  }
  llvm_unreachable("unknown form of call");
}

} // namespace assay::engine
