// Calls in forward mode. In order of preference: a rule that the user registered, what is known of memory functions,
// the scalar rules, a derivative made from the callee's body. A call that can propagate nothing is left as it is.
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/emit/deferred_frees.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/plan/retry_with_runtime_activity.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/prepare/resolve_calls.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/launches.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "core/engine/support/memory_resources.hpp"
#include "core/engine/support/target_instructions.hpp"
#include "core/engine/support/tensor_cores.hpp"
#include "core/engine/support/threads.hpp"

using namespace llvm;

namespace assay::engine {

namespace {

Function *called_function_of_same_type(const CallBase &call) {
  auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return callee && callee->getFunctionType() == call.getFunctionType() ? callee : nullptr;
}

} // namespace

Error ForwardEmitter::emit_call(CallBase &original) {
  if (auto *copy = dyn_cast<CallInst>(primal(original)); copy && copy->isMustTailCall())
    copy->setTailCallKind(CallInst::TCK_Tail); // the derivative returns something else
  if (shuffle_of_numbers(original)) {
    if (needs_lanes(original)) {
      set_position_after(original);
      set_lanes(original, mirror(original));
    }
    return Error::success();
  }
  Function *callee = called_function_of_same_type(original);
  if (callee && callee->isIntrinsic() && !isa<AnyMemIntrinsic>(original))
    return emit_intrinsic(cast<IntrinsicInst>(original));
  if (is_bury(original) || is_address_note(original)) {
    repeat_for_shadows(original);
    return Error::success();
  }
  if (tagged_copy(original) != TaggedCopy::none) {
    move_words(original);
    return Error::success();
  }
  if (gives_object_of_library(original, engine_.function_info())) {
    set_lanes(original, Lanes(request_.width, primal(original)));
    return Error::success();
  }
  const bool active = activity_.is_active_call(original);
  if (const UserRule *rule = callee && active ? engine_.function_info().rule(*callee) : nullptr;
      rule && rule->rule_template && rule->rule_template->forward) {
    const auto has_shadow = [&](Value &argument) { return is_shadowed(argument); };
    Expected<std::optional<RuleUse>> use =
        forward_rule_use(original, *rule, request_, activity_, needs_lanes(original), has_shadow, engine_);
    if (!use)
      return use.takeError();
    if (*use)
      return emit_rule_template(original, **use);
  }
  if (callee && active)
    if (const UserRule *rule = engine_.function_info().rule(*callee); rule && user_rule_fits(original, *rule))
      return emit_user_rule(original, *rule);
  if (const MemoryCall memory = classify_memory_call(original, engine_.function_info());
      memory.action != MemoryAction::none)
    return emit_memory_call(original, memory);
  if (!active && !needs_lanes(original))
    return Error::success();
  if (std::optional<ScalarRule> rule = ScalarRule::find(original, engine_.function_info())) {
    if (!needs_lanes(original))
      return Error::success();
    set_position_after(original);
    emit_scalar(original, *rule);
    return Error::success();
  }
  if (!callee && original.isInlineAsm())
    return unsupported(original, "inline assembly takes part in the derivative",
                       "put it in a function and register a derivative for that");
  if (!callee)
    return stop_at(original, unsupported(original, "the function called here is not known at compile time",
                                         "call it directly, or mark the call's arguments as constant"));
  if (callee->getName().starts_with(opaque_bits_name))
    return opaque_bits(original);
  if (callee->isDeclaration() || !engine_.function_info().library_name(*callee).empty())
    return emit_external(original, *callee);
  return emit_derivative_call(original, *callee);
}

/// The shadows of memory that an inner derivative buries are buried with it, and those of addresses in its log are
/// logged with them. Memory without a derivative may be its own shadow.
void ForwardEmitter::repeat_for_shadows(CallBase &original) {
  Value &memory = *original.getArgOperand(1);
  if (isa<Constant>(memory) || !is_shadowed(memory))
    return;
  set_position_after(original);
  Value *null = Constant::getNullValue(memory.getType());
  for (Value *shadow : lanes(memory)) {
    SmallVector<Value *, 4> arguments;
    for (Value *argument : original.args())
      arguments.push_back(primal(*argument));
    arguments[1] = builder_.CreateSelect(builder_.CreateICmpEQ(shadow, primal(memory)), null, shadow);
    builder_.CreateCall(original.getCalledFunction(), arguments);
  }
}

Error ForwardEmitter::emit_intrinsic(IntrinsicInst &original) {
  switch (original.getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd: // linear, or only moving values: the lanes go the same way
  case Intrinsic::vector_insert:
  case Intrinsic::vector_extract:
  case Intrinsic::vector_reverse:
  case Intrinsic::vector_splice_left:
  case Intrinsic::vector_splice_right:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ptrmask:
  case Intrinsic::ssa_copy:
  case Intrinsic::threadlocal_address:
  case Intrinsic::expect:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::bswap:
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    if (needs_lanes(original)) {
      set_position_after(original);
      set_lanes(original, mirror(original));
    }
    return Error::success();
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    if (is_shadowed(*original.getArgOperand(1))) {
      set_position_after(original);
      mirror(original);
    }
    return Error::success();
  default:
    break;
  }
  const bool writes_shadowed = is_target_instruction_that_writes(original) && any_of(original.args(), [&](Use &use) {
                                 return use->getType()->isPointerTy() && is_shadowed(*use);
                               });
  if (!needs_lanes(original) && !writes_shadowed)
    return Error::success(); // debug information, lifetimes, assumptions, integer operations, ...
  if (std::optional<ScalarRule> rule = ScalarRule::find(original, engine_.function_info())) {
    set_position_after(original);
    emit_scalar(original, *rule);
    return Error::success();
  }
  if (is_of_tensor_cores(original.getCalledFunction()->getName()))
    return unsupported(original, tensor_core_reason, tensor_core_remedy);
  return unsupported(original, "forward mode has no derivative for this intrinsic",
                     "register a derivative for the function that uses it");
}

Error ForwardEmitter::emit_external(CallBase &original, Function &callee) {
  const FunctionInfo &function_info = engine_.function_info();
  if (function_info.is_inactive(callee) || is_derivative_free(original, function_info))
    return Error::success();
  if (!callee.isDeclaration())
    return emit_derivative_call(original, callee);
  if (starts_threads(callee))
    return unsupported(original, threads_reason, threads_remedy);
  if (library_role(callee) == LibraryRole::run_at_exit)
    return unsupported(original, thread_variable_reason, thread_variable_remedy);
  if (launches_kernel(callee))
    return unsupported(original, launch_reason, remedy_of_launch(callee, *original.getFunction()));
  if (const char *remedy = remedy_of_runtime_function(callee))
    return unsupported(original, "the function '" + source_name(callee) + "' of CUDA's runtime has no derivative",
                       remedy);
  return unsupported(original, "function '" + source_name(callee) + "' has no body here and no known derivative",
                     "register a derivative for it, mark it as inactive, or compile it together with this file");
}

Error ForwardEmitter::emit_derivative_call(CallBase &original, Function &callee) {
  if (callee.isVarArg())
    return unsupported(original, "a function with a variable number of arguments takes part in the derivative",
                       "register a derivative for it, or mark it as inactive");
  Request request;
  request.function = &callee;
  request.mode = Mode::forward;
  request.caller = Caller::derivative;
  request.width = request_.width;
  request.options = request_.options;
  request.options.runtime_activity |= activity_.passes_constant_numbers(original);
  request.argument_activity = activity_.call_arguments(original);
  request.active_behind = activity_.active_behind_variables();
  for (auto [argument, activity] : zip(original.args(), request.argument_activity))
    if (!isa<Constant>(argument) && !is_shadowed(*argument)) // the callee may know it to be constant
      activity = Activity::constant;
  request.return_activity = needs_lanes(original) ? activity_.call_result(original) : Activity::constant;
  if (!original.getType()->isVoidTy() && !original.use_empty())
    request.primal_return = PrimalReturn::keep;
  Expected<Function *> derivative = engine_.derivative(request);
  if (!derivative)
    derivative =
        retry_with_runtime_activity(engine_, activity_.beside_shadowed(original), request, derivative.takeError());
  if (!derivative)
    return stop_at(original, derivative.takeError());

  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  SmallVector<Value *, 8> arguments;
  for (unsigned index = 0; index < original.arg_size(); ++index) {
    Value &argument = *original.getArgOperand(index);
    arguments.push_back(primal(argument));
    if (is_duplicated(request.argument_activity[index]))
      append_range(arguments, lanes(argument));
  }
  CallBase *call = place_call(original, *derivative, arguments);
  const DerivativeAbi abi(request);
  if (abi.shadow_result(0)) {
    Lanes values;
    for (unsigned lane = 0; lane < request_.width; ++lane)
      values.push_back(builder_.CreateExtractValue(call, *abi.shadow_result(lane)));
    set_lanes(original, values);
  }
  auto index = abi.primal_result();
  replace_copy(original, index ? builder_.CreateExtractValue(call, *index) : nullptr);
  return Error::success();
}

/// The candidate of an indirect call that has no derivative: the program stops when it gets there.
Error ForwardEmitter::stop_at(CallBase &original, Error reason) {
  if (!is_unlikely_candidate(original))
    return reason;
  consumeError(std::move(reason));
  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  emit_stop(builder_);
  if (needs_lanes(original))
    set_lanes(original, Lanes(request_.width, PoisonValue::get(original.getType())));
  return Error::success();
}

CallBase *ForwardEmitter::place_call(CallBase &original, FunctionCallee callee, ArrayRef<Value *> arguments) {
  set_position_after(original);
  IRBuilderBase::InsertPointGuard back_to_after(builder_);
  auto *copy = cast<CallBase>(primal(original));
  builder_.SetInsertPoint(copy);
  CallBase *call = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(copy))
    call = builder_.CreateInvoke(callee, invoke->getNormalDest(), invoke->getUnwindDest(), arguments);
  else
    call = builder_.CreateCall(callee, arguments);
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    call->setCallingConv(function->getCallingConv());
  return call;
}

void ForwardEmitter::replace_copy(CallBase &original, Value *result) {
  auto *copy = cast<CallBase>(primal(original));
  if (result && original.hasName())
    result->takeName(copy);
  if (!copy->getType()->isVoidTy())
    copy->replaceAllUsesWith(result ? result : PoisonValue::get(copy->getType()));
  copy->eraseFromParent();
}

} // namespace assay::engine
