#include "core/engine/plan/read_results.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// The derivative of an operation reads its operand `value`, or its result.
bool is_read_by_derivative(const Value &value, const ScalarRule &rule, const ActivityAnalysis &activity) {
  for (unsigned index = 0; index < rule.operand_count(); ++index) {
    if (!rule.has_partial(index) || isa<Constant>(rule.operand(index)) ||
        !activity.carries_derivative(*rule.operand(index)))
      continue;
    const PartialNeeds needs = rule.needs(index);
    for (const unsigned operand : needs.operands.set_bits())
      if (rule.operand(operand) == &value)
        return true;
    if (needs.result)
      return true;
  }
  return false;
}

/// Only hands the value on, perhaps in other bits.
bool only_hands_on(const Instruction &user, const Value &value) {
  if (const auto *select = dyn_cast<SelectInst>(&user))
    return select->getCondition() != &value;
  return isa<PHINode, CastInst, InsertValueInst, ExtractValueInst, FreezeInst>(user);
}

} // namespace

bool is_result_read(const CallBase &call, const Request &request, const FunctionInfo &function_info,
                    const ActivityAnalysis &activity) {
  SmallVector<const Instruction *, 8> pending{&call};
  SmallPtrSet<const Instruction *, 16> seen{&call};
  while (!pending.empty()) {
    const Instruction &value = *pending.pop_back_val();
    for (const User *each : value.users()) {
      const auto &user = *cast<Instruction>(each);
      if (isa<ReturnInst>(user)) {
        if (request.primal_return == PrimalReturn::keep)
          return true;
        continue;
      }
      const std::optional<ScalarRule> rule = ScalarRule::find(user, function_info);
      if (!rule && !only_hands_on(user, value))
        return true;
      if (rule && is_read_by_derivative(value, *rule, activity))
        return true;
      if (seen.insert(&user).second)
        pending.push_back(&user);
    }
  }
  return false;
}

} // namespace assay::engine
