#include "core/engine/analysis/rule_shadows.hpp"
#include "core/engine/analysis/activity_implementation.hpp"
#include "core/engine/support/diagnostics.hpp"

namespace assay::engine {
namespace {

bool is_seen_to_hold_numbers(const TypeTree &tree) {
  return llvm::any_of(tree.exact(), [](const auto &place) { return place.second.mentions_floating(); }) ||
         llvm::any_of(tree.strided(), [](const auto &place) { return place.second.evidence.mentions_floating(); });
}

/// Memory of the call beside the same memory as the rule's own code sees it.
class Comparison {
public:
  Comparison(const ActivityAnalysis &activity, const TypeAnalysis &rule)
      : activity_(activity.implementation()), rule_(rule.implementation()) {}

  bool reaches_constants(const llvm::Value &argument, const llvm::Argument &parameter) {
    const auto passed = activity_.memory.location(argument), taken = rule_.memory.location(parameter);
    if (!passed || !taken || !activity_.shadows.has_shadow(passed->node))
      return false;
    return reaches_constants(*passed, *taken);
  }

private:
  /// A pointer that is read at an offset from the start of what was passed.
  bool reaches_constants(Location passed, Location taken) {
    if (!visited_.insert({passed.node, taken.node}).second)
      return false;
    const bool are_known = passed.at.stride == 0 && taken.at.stride == 0;
    for (const auto &[offset, behind] : activity_.memory.pointees(passed.node))
      for (const auto &[followed, seen] : rule_.memory.pointees(taken.node)) {
        if (are_known && offset - passed.at.base != followed - taken.at.base)
          continue;
        if (activity_.shadows.holds_constant_numbers(behind) && is_seen_to_hold_numbers(rule_.types.tree(seen)))
          return true;
        if (activity_.shadows.has_shadow(behind) && reaches_constants({behind, {}}, {seen, {}}))
          return true;
      }
    return false;
  }

  const ActivityAnalysis::Implementation &activity_;
  const TypeAnalysis::Implementation &rule_;
  llvm::DenseSet<std::pair<NodeId, NodeId>> visited_;
};

llvm::Error constants_behind_shadow(const llvm::CallBase &call, const llvm::Function &rule, const llvm::Use &argument) {
  return unsupported(call,
                     "the registered derivative '" + source_name(rule) +
                         "' reads numbers behind a pointer in the shadow of argument " +
                         std::to_string(argument.getOperandNo() + 1) +
                         " that carry no derivative here: the shadow has the pointer to the numbers themselves",
                     "pass a shadow for that memory, or turn on enzyme_runtime_activity where the derivative tests "
                     "whether a shadow is the memory itself");
}

} // namespace

llvm::Error refuse_constants_behind_shadows(const llvm::CallBase &call, const llvm::Function &rule,
                                            llvm::function_ref<bool(const llvm::Use &)> has_shadow,
                                            const ActivityAnalysis &activity) {
  if (rule.isDeclaration() || !activity.passes_constant_numbers(call))
    return llvm::Error::success();
  const TypeAnalysis types(rule, false);
  Comparison comparison(activity, types);
  unsigned parameter = 0;
  for (const llvm::Use &argument : call.args()) {
    ++parameter; // of the primal
    if (!has_shadow(argument))
      continue;
    if (parameter < rule.arg_size() && comparison.reaches_constants(*argument, *rule.getArg(parameter)))
      return constants_behind_shadow(call, rule, argument);
    ++parameter;
  }
  return llvm::Error::success();
}

} // namespace assay::engine
