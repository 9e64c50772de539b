#pragma once
// How a call of a function with a rule of <assay/rules.hpp> takes part in reverse mode: which arguments have shadows or
// derivatives, what is read of the result, and behind which arguments memory may change before the reverse sweep gets
// there.

#include "core/engine/plan/call_plan.hpp"

namespace assay::engine {

/// Nothing where the rule declines. An error where a number with a derivative is passed in a way that no rule gets.
llvm::Expected<std::optional<RuleUse>> plan_rule_use(const llvm::CallBase &call, const UserRule &rule,
                                                     const CallPlanInput &input);

/// The same for forward mode; `is_shadowed` says which arguments have tangents or shadows.
llvm::Expected<std::optional<RuleUse>> forward_rule_use(const llvm::CallBase &call, const UserRule &rule,
                                                        const Request &request, const ActivityAnalysis &activity,
                                                        bool has_tangent,
                                                        llvm::function_ref<bool(llvm::Value &)> is_shadowed,
                                                        DerivativeSource &engine);

} // namespace assay::engine
