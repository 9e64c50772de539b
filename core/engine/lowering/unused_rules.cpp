#include "core/engine/lowering/unused_rules.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// What ASSAY_RULE leaves in a source file: a pointer to the rule's table.
constexpr StringLiteral in_source_name = "__assay_rule_in_source";

const GlobalVariable *table_of(const GlobalVariable &mark) {
  return mark.hasInitializer() ? dyn_cast<GlobalVariable>(mark.getInitializer()->stripPointerCasts()) : nullptr;
}

/// Instances of a rule are named after its function.
bool is_used(const Module &module, const Function &primal) {
  const std::string prefix = (primal.getName() + ".rule.").str();
  return any_of(module, [&](const Function &function) { return function.getName().starts_with(prefix); });
}

void warn_unless_used(Module &module, const GlobalVariable &table) {
  Expected<RuleTableContent> content = read_rule_table(table);
  if (!content)
    return consumeError(content.takeError()); // it was reported
  if (content->kind != RuleTableContent::Kind::rule || content->rule->applies ||
      is_used(module, *content->rule->primal))
    return;
  const Function &primal = *content->rule->primal;
  const std::string text = "the rule '" + content->rule->name +
                           "' is not used: nothing that is differentiated in this "
                           "file calls '" +
                           source_name(primal) + "' where it carries a derivative";
  module.getContext().diagnose(DiagnosticInfoUnsupported(primal, text, DiagnosticLocation(), DS_Warning));
}

} // namespace

void warn_of_unused_rules(Module &module) {
  for (const GlobalVariable &global : module.globals())
    if (global.getName().contains(in_source_name))
      if (const GlobalVariable *table = table_of(global))
        warn_unless_used(module, *table);
}

} // namespace assay::engine
