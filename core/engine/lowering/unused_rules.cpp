#include "core/engine/lowering/unused_rules.hpp"
#include "core/engine/lowering/protect.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/diagnostics.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/ADT/SetVector.h"
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

/// The functions and constants that lead to a function, and whether all of them end in tables of rules.
class TablesOnly {
public:
  explicit TablesOnly(Function &function) { values_.insert(&function); }

  bool holds() {
    for (unsigned next = 0; next < values_.size(); ++next) {
      if (const auto *function = dyn_cast<Function>(values_[next]);
          function && !GlobalValue::isDiscardableIfUnused(linkage_in_program(*function)))
        return false;
      for (User *user : values_[next]->users())
        if (!follow(*user))
          return false;
    }
    return true;
  }

private:
  bool follow(User &user) {
    if (auto *instruction = dyn_cast<Instruction>(&user))
      return values_.insert(instruction->getFunction()), true;
    auto *global = dyn_cast<GlobalVariable>(&user);
    if (!global)
      return values_.insert(&user), true;
    return global->getName() == "llvm.used" || global->getName() == "llvm.compiler.used" || follow_table(*global);
  }

  bool follow_table(GlobalVariable &global) {
    if (registration_table(global) != Table::rule)
      return false;
    Expected<RuleTableContent> content = read_rule_table(global);
    if (!content) {
      consumeError(content.takeError()); // it was reported
      return false;
    }
    if (content->function)
      values_.insert(content->function);
    return values_.insert(&global), true;
  }

  SetVector<Value *> values_;
};

} // namespace

bool serves_only_uncalled_rules(Function &function) {
  return TablesOnly(function).holds();
}

void warn_of_unused_rules(Module &module) {
  for (const GlobalVariable &global : module.globals())
    if (global.getName().contains(in_source_name))
      if (const GlobalVariable *table = table_of(global))
        warn_unless_used(module, *table);
}

} // namespace assay::engine
