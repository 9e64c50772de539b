#include "core/engine/plan/call_plan.hpp"
#include "core/engine/analysis/blocks_reaching_return.hpp"
#include "core/engine/analysis/pointer_escape.hpp"
#include "core/engine/analysis/rule_shadows.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/plan/kept_arguments.hpp"
#include "core/engine/plan/retry_with_runtime_activity.hpp"
#include "core/engine/plan/rule_use.hpp"
#include "core/engine/plan/value_text.hpp"
#include "core/engine/prepare/float_bits.hpp"
#include "core/engine/rules/deferred_free_calls.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/rules/shuffles.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/launches.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "core/engine/support/synchronisation.hpp"
#include "core/engine/support/tensor_cores.hpp"
#include "core/engine/support/threads.hpp"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

Function *called_function(const CallBase &call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// Numbers that nothing reads need not be computed. Counts and pointers are computed anyway, and returning them always
/// lets calls with and without use share one derivative.
PrimalReturn primal_return_of(const CallBase &call) {
  const Type *type = call.getType();
  const bool is_free = type->isIntegerTy() || type->isPointerTy();
  return call.use_empty() && !is_free ? PrimalReturn::omit : PrimalReturn::keep;
}

Error no_body_or_rule(const CallBase &call, const Function &callee) {
  if (library_role(callee) == LibraryRole::run_at_exit)
    return unsupported(call, thread_variable_reason, thread_variable_remedy);
  if (library_role(callee) == LibraryRole::launch_kernel)
    return unsupported(call, "a kernel is launched from device code",
                       "launch it from the host, or call what it does as a __device__ function");
  if (launches_kernel(callee))
    return unsupported(call, launch_reason, remedy_of_launch(callee, *call.getFunction()));
  if (const char *remedy = remedy_of_runtime_function(callee))
    return unsupported(call, "the function '" + source_name(callee) + "' of CUDA's runtime has no derivative", remedy);
  if (callee.getName().starts_with("llvm.nvvm.tex."))
    return unsupported(call, "a texture is read at a place that depends on active values",
                       "read an array and interpolate in the program");
  if (is_of_tensor_cores(callee.getName()))
    return unsupported(call, tensor_core_reason, tensor_core_remedy);
  if (callee.isIntrinsic())
    return unsupported(call, "the instruction '" + callee.getName().str() + "' has no derivative",
                       "register a derivative for the function that uses it");
  return unsupported(call, "the function '" + source_name(callee) + "' has no body and no rule",
                     "define it in this file, mark it inactive, or register a derivative for it");
}

class CallPlanner {
public:
  explicit CallPlanner(const CallPlanInput &input)
      : input_(input), function_info_(input.derivatives.function_info()), live_(input.prepared) {}

  Expected<CallPlans> run() {
    ReversePostOrderTraversal<Function *> order(&input_.prepared);
    for (BasicBlock *block : order)
      if (live_.contains(block))
        for (const Instruction &instruction : *block)
          if (const auto *call = dyn_cast<CallBase>(&instruction))
            if (Error error = visit(*call))
              return std::move(error);
    return std::move(result_);
  }

private:
  Error visit(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (is_differentiated(call))
      return plan_call(call).moveInto(result_.calls[&call]);
    if (callee && synchronises(*callee))
      return unsupported(call, "a function that waits at a barrier is called without a derivative",
                         "write the barrier into the differentiated function, or make the called one inline");
    return Error::success();
  }

  bool is_differentiated(const CallBase &call) const {
    const ActivityAnalysis &activity = input_.activity;
    if (classify_memory_call(call, function_info_).action != MemoryAction::none ||
        (isa<IntrinsicInst>(call) && activity.has_shadow(call)) || is_bury(call) || is_release_buried(call) ||
        tagged_copy(call) != TaggedCopy::none || shuffle_of_numbers(call) || ScalarRule::find(call, function_info_))
      return false;
    return activity.is_active_call(call) || releases_shadowed_memory(call);
  }

  /// A destructor carries no derivative, but the memory that it releases has shadows.
  bool releases_shadowed_memory(const CallBase &call) const {
    const Function *callee = call.getCalledFunction();
    return callee && !callee->isDeclaration() && !function_info_.keeps_call(*callee) &&
           any_of(call.args(), [&](const Use &argument) { return input_.activity.has_shadow(*argument.get()); }) &&
           may_release(call, function_info_);
  }

  Expected<CallPlan> plan_call(const CallBase &call) {
    if (call.isInlineAsm())
      return unsupported(call, "inline assembly in active code", "give the function a rule or mark it inactive");
    Function *callee = called_function(call);
    if (!callee)
      return stop_at(call, unsupported(call, "an indirect call in active code", "call the function directly"));
    if (starts_threads(*callee))
      return unsupported(call, threads_reason, threads_remedy);
    const UserRule *rule = function_info_.rule(*callee);
    const bool has_rule = reverse_rule_applies(rule);
    if (callee->isDeclaration() && callee->isVarArg() && !has_rule)
      return no_body_or_rule(call, *callee);
    if (callee->arg_size() != call.arg_size() || callee->getFunctionType() != call.getFunctionType())
      return unsupported(call, "the call does not match the function's type", "declare the function with its own type");
    if (callee->getName().starts_with(opaque_bits_name))
      return opaque_bits(call);
    if (rule && rule->rule_template && rule->rule_template->reverse) {
      Expected<std::optional<RuleUse>> use = plan_rule_use(call, *rule, input_);
      if (!use)
        return use.takeError();
      if (*use)
        return plan_template_call(call, *rule, std::move(**use));
    }
    if (Error error = has_rule ? check_shadows_of_rule(call, *rule) : Error::success())
      return std::move(error);
    if (has_rule)
      return CallPlan{.form = CallPlan::Form::rule, .rule = rule};
    if (callee->isDeclaration() && rule && rule->rule_template && rule->rule_template->reverse)
      return unsupported(call,
                         "the rule '" + rule->rule_template->name + "' declines here, and the function '" +
                             source_name(*callee) + "' has no body",
                         "let the rule serve this case, or define the function in this file");
    if (callee->isDeclaration())
      return no_body_or_rule(call, *callee);
    return plan_split_call(call, *callee);
  }

  /// With run-time activity the rule has to ask, which it does where a shadow is the memory itself.
  Error check_shadows_of_rule(const CallBase &call, const UserRule &rule) const {
    if (input_.request.options.runtime_activity)
      return Error::success();
    const auto has_shadow = [](const Use &argument) { return argument->getType()->isPointerTy(); };
    for (const Function *half : {rule.augmented, rule.reverse})
      if (Error error = refuse_constants_behind_shadows(call, *half, has_shadow, input_.activity))
        return error;
    return Error::success();
  }

  /// The code of the instances says which arguments are kept: those that the reverse one reads.
  Expected<CallPlan> plan_template_call(const CallBase &call, const UserRule &rule, RuleUse use) const {
    CallPlan plan{.form = CallPlan::Form::rule_template, .rule = &rule, .use = std::move(use)};
    FunctionAnalysisManager &analyses = input_.derivatives.function_analyses();
    const auto instance = [&](RuleStep step, RuleInstance &result) -> Error {
      Expected<RuleInstance> made = rule_instance(plan.use, step, function_info_, analyses);
      if (!made)
        return unsupported(call, toString(made.takeError()), "see docs/rules.md");
      result = *made;
      return Error::success();
    };
    if (Error error = instance(RuleStep::augmented, plan.augmented_instance))
      return std::move(error);
    if (Error error = instance(RuleStep::reverse, plan.reverse_instance))
      return std::move(error);
    for (const Argument &parameter : plan.reverse_instance.function->args()) {
      plan.kept_arguments.resize(parameter.getArgNo() + 1);
      plan.kept_arguments[parameter.getArgNo()] = !parameter.use_empty();
    }
    return plan;
  }

  static Expected<CallPlan> stop_at(const CallBase &call, Error reason) {
    if (!is_unlikely_candidate(call))
      return std::move(reason);
    consumeError(std::move(reason));
    return CallPlan{.form = CallPlan::Form::stop};
  }

  Request augmented_request(const CallBase &call, Function &callee) const {
    Request request;
    request.function = &callee;
    request.mode = Mode::augmented;
    request.caller = Caller::derivative;
    request.width = input_.request.width;
    request.options = input_.request.options;
    request.options.runtime_activity |= input_.activity.passes_constant_numbers(call);
    request.options.free_tape = true;
    request.argument_activity = input_.activity.call_arguments(call);
    request.active_behind = input_.activity.active_behind_variables();
    request.return_activity = input_.activity.call_result(call);
    request.primal_return = primal_return_of(call);
    request.not_overwritten = kept_arguments(call);
    return request;
  }

  /// What the program promises for the function itself holds for its callees, where the function does not write.
  SmallBitVector kept_arguments(const CallBase &call) const {
    SmallBitVector kept(call.arg_size());
    const SmallBitVector &own = input_.request.not_overwritten;
    const auto stays = [&](const Argument &argument) { return own.test(argument.getArgNo()); };
    if (own.any())
      for (const Use &argument : call.args())
        if (argument->getType()->isPointerTy() && is_reached_from(*argument.get(), stays) &&
            !input_.activity.may_change_after(call, call.getArgOperandNo(&argument)))
          kept.set(call.getArgOperandNo(&argument));
    return kept;
  }

  Expected<CallPlan> plan_split_call(const CallBase &call, Function &callee) {
    if (is_caught(call))
      return stop_at(call, unsupported(call, "an exception of a function that cannot be copied is caught here",
                                       "catch it in the function that throws"));
    CallPlan plan;
    plan.request = augmented_request(call, callee);
    Expected<Function *> augmented = input_.derivatives.derivative(plan.request);
    if (!augmented) {
      plan.own_shadows = input_.activity.beside_shadowed(call);
      augmented =
          retry_with_runtime_activity(input_.derivatives, plan.own_shadows, plan.request, augmented.takeError());
    }
    if (!augmented)
      return stop_at(call, augmented.takeError());
    Request reverse_request = plan.request;
    reverse_request.mode = Mode::split_reverse;
    Expected<Function *> reverse = input_.derivatives.derivative(reverse_request);
    if (!reverse)
      return stop_at(call, reverse.takeError());
    // Which arguments are kept for it does not depend on the fate of its tape: all halves of this pair agree.
    reverse_request.options.free_tape = input_.request.options.free_tape;
    Expected<Function *> called = input_.derivatives.derivative(reverse_request);
    if (!called)
      return stop_at(call, called.takeError());
    plan.augmented = *augmented;
    plan.reverse = *called;
    read_interface(plan, input_.derivatives.interface_of(**reverse));
    return plan;
  }

  /// What the callee did before it threw would be lost (prepare/caught_calls.hpp).
  bool is_caught(const CallBase &call) const {
    const auto *invoke = dyn_cast<InvokeInst>(&call);
    return invoke && !invoke->doesNotThrow() && live_.contains(invoke->getUnwindDest());
  }

  static void read_interface(CallPlan &plan, const DerivativeInterface *interface) {
    plan.kept_arguments.resize(plan.augmented->arg_size(), interface == nullptr);
    if (!interface)
      return;
    plan.kept_arguments = interface->arguments_read;
    plan.keeps_tape = interface->has_tape;
    plan.passes_list = interface->defers_frees;
  }

  const CallPlanInput &input_;
  const FunctionInfo &function_info_;
  const BlocksReachingReturn live_;
  CallPlans result_;
};

void print_kept_arguments(raw_ostream &out, const CallPlan &plan) {
  for (const unsigned parameter : plan.kept_arguments.set_bits())
    out << (parameter == unsigned(plan.kept_arguments.find_first()) ? ", keeps argument " : " and ") << parameter + 1;
}

StringRef way_of(const RuleInstance &instance, const CallBase &call) {
  return instance.is_straight && !isa<InvokeInst>(call) ? "in place" : "called";
}

void print_template_call(raw_ostream &out, const CallPlan &plan, const CallBase &call) {
  out << "rule " << plan.use.rule->name << ", forward " << way_of(plan.augmented_instance, call) << ", reverse "
      << (plan.reverse_instance.is_straight ? "in place" : "called");
  for (const unsigned parameter : plan.use.overwritten.set_bits())
    out << ", argument " << parameter + 1 << " may change";
  print_kept_arguments(out, plan);
}

void print_split_call(raw_ostream &out, const CallPlan &plan) {
  out << "split";
  if (plan.request.options.runtime_activity)
    out << ", run-time activity";
  if (plan.keeps_tape)
    out << ", keeps its tape";
  if (plan.passes_list)
    out << ", passes the list of memory to release";
  print_kept_arguments(out, plan);
  for (const unsigned argument : plan.own_shadows)
    out << ", argument " << argument + 1 << " is its own shadow";
}

} // namespace

bool reverse_rule_applies(const UserRule *rule) {
  return rule && rule->augmented && rule->reverse;
}

Expected<CallPlans> plan_calls(const CallPlanInput &input) {
  return CallPlanner(input).run();
}

void CallPlans::print(raw_ostream &out) const {
  for (const auto &[call, plan] : calls) {
    switch (plan.form) {
    case CallPlan::Form::rule:
      out << "rule";
      break;
    case CallPlan::Form::rule_template:
      print_template_call(out, plan, *call);
      break;
    case CallPlan::Form::engine:
      print_split_call(out, plan);
      break;
    case CallPlan::Form::stop:
      out << "stop";
      break;
    }
    out << ": " << text_of(*call) << '\n';
  }
}

} // namespace assay::engine
