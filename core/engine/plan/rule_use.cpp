#include "core/engine/plan/rule_use.hpp"
#include "core/engine/plan/kept_arguments.hpp"
#include "core/engine/plan/read_results.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/type_content.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

Error number_in_integer(const CallBase &call, const RuleTemplate &rule, unsigned index) {
  return unsupported(call,
                     "parameter " + Twine(index + 1) + " of the function with the rule '" + rule.name +
                         "' is a small struct whose numbers travel in an integer",
                     "take the struct by reference");
}

RuleUse::Shadow shadow_of(const Type &type, Activity activity) {
  if (activity == Activity::constant)
    return RuleUse::Shadow::none;
  return activity == Activity::active ? RuleUse::Shadow::returned : RuleUse::Shadow::passed;
}

RuleUse use_of(const CallBase &call, const UserRule &rule, const Request &request, const FunctionInfo &function_info,
               const ActivityAnalysis &activity) {
  RuleUse use;
  use.rule = rule.rule_template;
  use.width = request.width;
  use.runtime_activity = request.options.runtime_activity;
  use.overwritten.resize(use.rule->parameters.size());
  use.needs_primal = use.rule->returns_in_memory() || is_result_read(call, request, function_info, activity);
  return use;
}

/// In split mode the program may change the function's memory between the halves, unless it says otherwise.
bool may_be_overwritten(const CallBase &call, unsigned index, const CallPlanInput &input) {
  const Value &argument = *call.getArgOperand(index);
  if (!argument.getType()->isPointerTy())
    return false;
  const SmallBitVector &kept = input.request.not_overwritten;
  const auto stays = [&](const Argument &parameter) {
    return parameter.getArgNo() < kept.size() && kept.test(parameter.getArgNo());
  };
  return (input.request.mode != Mode::reverse && !is_reached_from(argument, stays)) ||
         input.activity.may_change_after(call, index);
}

Expected<std::optional<RuleUse>> unless_declined(RuleUse use, const CallBase &call, DerivativeSource &engine) {
  Expected<bool> applies = rule_applies(use, engine.function_info(), engine.function_analyses());
  if (!applies)
    return unsupported(call, toString(applies.takeError()), "see docs/rules.md");
  return *applies ? std::optional(std::move(use)) : std::nullopt;
}

} // namespace

Expected<std::optional<RuleUse>> plan_rule_use(const CallBase &call, const UserRule &rule, const CallPlanInput &input) {
  RuleUse use = use_of(call, rule, input.request, input.derivatives.function_info(), input.activity);
  use.releases_tape = input.request.options.free_tape;
  const SmallVector<Activity, 4> activities = input.activity.call_arguments(call);
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    Type &type = *call.getArgOperand(index)->getType();
    if (type.isIntOrIntVectorTy() && activities[index] == Activity::active && !use.rule->takes_integer(index))
      return number_in_integer(call, *use.rule, index);
    use.shadows.push_back(type.isIntOrIntVectorTy() ? RuleUse::Shadow::none : shadow_of(type, activities[index]));
  }
  if (use.rule->returns_in_memory()) {
    use.needs_shadow = use.shadows.front() == RuleUse::Shadow::passed;
    use.result = use.needs_shadow ? Activity::duplicated : Activity::constant;
  } else {
    use.result = input.activity.call_result(call);
    use.needs_shadow = is_duplicated(use.result);
  }
  for (auto [index, place] : enumerate(use.rule->places))
    for (unsigned argument = place.first; argument < place.first + place.count; ++argument)
      if (may_be_overwritten(call, argument, input))
        use.overwritten.set(unsigned(index));
  return unless_declined(std::move(use), call, input.derivatives);
}

Expected<std::optional<RuleUse>> forward_rule_use(const CallBase &call, const UserRule &rule, const Request &request,
                                                  const ActivityAnalysis &activity, bool has_tangent,
                                                  function_ref<bool(Value &)> is_shadowed, DerivativeSource &engine) {
  RuleUse use = use_of(call, rule, request, engine.function_info(), activity);
  for (const Use &argument : call.args()) {
    const Type &type = *argument->getType();
    const bool has_shadow = is_shadowed(*argument.get()) && !use.rule->takes_integer(argument.getOperandNo());
    if (type.isIntOrIntVectorTy() && has_shadow)
      return number_in_integer(call, *use.rule, argument.getOperandNo());
    use.shadows.push_back(has_shadow ? RuleUse::Shadow::passed : RuleUse::Shadow::none);
  }
  const bool in_memory = use.rule->returns_in_memory();
  use.needs_shadow = in_memory ? use.shadows.front() == RuleUse::Shadow::passed : has_tangent;
  use.result = use.needs_shadow ? Activity::duplicated : Activity::constant;
  return unless_declined(std::move(use), call, engine);
}

} // namespace assay::engine
