#include "core/jit/registered_rules.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/registration_table.hpp"
#include "core/engine/support/rule_template.hpp"
#include "core/jit/source_names.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace assay::jit {

namespace {

using Reached = llvm::DenseSet<const llvm::Value *>;

/// Everything that the code of `start` mentions, and what that mentions.
Reached reached_from(const llvm::Function &start) {
  Reached reached;
  llvm::SmallVector<const llvm::Value *, 32> pending{&start};
  while (!pending.empty()) {
    const llvm::Value *next = pending.pop_back_val();
    if (!reached.insert(next).second)
      continue;
    if (const auto *function = llvm::dyn_cast<llvm::Function>(next)) {
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        for (const llvm::Value *operand : instruction.operands())
          if (llvm::isa<llvm::Constant>(operand))
            pending.push_back(operand);
    } else if (const auto *constant = llvm::dyn_cast<llvm::Constant>(next)) {
      for (const llvm::Value *operand : constant->operands())
        pending.push_back(operand);
    }
  }
  return reached;
}

std::optional<Mode> mode_of(const llvm::GlobalVariable &global) {
  const auto table = engine::registration_table(global);
  if (table == engine::Table::gradient)
    return Mode::reverse;
  if (table == engine::Table::derivative || table == engine::Table::splitderivative)
    return Mode::forward;
  return std::nullopt;
}

/// Null where the entry is something else, which the engine reports when it reads the table.
llvm::Function *function_at(const engine::RegistrationTable &table, unsigned index) {
  llvm::Expected<llvm::Function *> function = table.function(index);
  if (function)
    return *function;
  llvm::consumeError(function.takeError());
  return nullptr;
}

/// What of a rule is known without its table.
RegisteredRule rule_of(const llvm::Function &function, const llvm::GlobalVariable &table, Mode mode) {
  RegisteredRule rule;
  rule.symbol = table.getName().str();
  rule.function = source_name_of_function(function);
  rule.function_symbol = function.getName().str();
  rule.mode = mode;
  rule.has_body = !function.isDeclaration();
  return rule;
}

/// A table of the C convention is for one mode.
void add_convention_rule(llvm::GlobalVariable &global, Mode mode, std::vector<RegisteredRule> &rules) {
  const auto table = engine::RegistrationTable::read(global);
  const llvm::Function *function = table.size() == 0 ? nullptr : function_at(table, 0);
  if (!function)
    return;
  RegisteredRule rule = rule_of(*function, global, mode);
  rule.table = table.name();
  for (unsigned index = 1; index < table.size(); ++index)
    if (const llvm::Function *part = function_at(table, index)) {
      rule.parts.push_back(source_name_of_function(*part));
      rule.part_symbols.push_back(part->getName().str());
    }
  rules.push_back(std::move(rule));
}

/// A rule of <assay/rules.hpp> counts once for each mode that it has functions for.
void add_template_rules(const llvm::GlobalVariable &global, std::vector<RegisteredRule> &rules) {
  llvm::Expected<engine::RuleTableContent> content = engine::read_rule_table(global);
  if (!content)
    return llvm::consumeError(content.takeError()); // The engine reports it when it reads the table.
  if (content->kind != engine::RuleTableContent::Kind::rule)
    return;
  const engine::RuleTemplate &written = *content->rule;
  const auto add = [&](Mode mode, std::initializer_list<std::pair<const char *, const llvm::Function *>> parts) {
    RegisteredRule rule = rule_of(*written.primal, global, mode);
    rule.table = "ASSAY_RULE";
    rule.name = written.name;
    for (const auto &[name, part] : parts)
      if (part) {
        rule.parts.push_back(written.name + "::" + name);
        rule.part_symbols.push_back(part->getName().str());
      }
    rules.push_back(std::move(rule));
  };
  if (written.forward)
    add(Mode::forward, {{"forward", written.forward}});
  if (written.reverse)
    add(Mode::reverse, {{"augmented_primal", written.augmented}, {"reverse", written.reverse}});
}

} // namespace

std::set<std::string> registration_tables_of(const std::filesystem::path &file) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::set<std::string> tables;
  if (const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file.string(), problem, context))
    for (const llvm::GlobalVariable &global : module->globals())
      if (engine::registration_table(global))
        tables.insert(global.getName().str());
  return tables;
}

/// A rule of <assay/gpu/host.hpp>. That of a launch, `LaunchRule<&blur, &body>::forward`, has the derivative of a
/// function that the program may have named.
static std::string describe_bundled(const RegisteredRule &rule) {
  llvm::StringRef kernel = rule.function, part = rule.parts.front();
  if (!kernel.consume_front("__device_stub__"))
    return fmt::format("{}: of Assay's headers", rule.function);
  const llvm::StringRef body = part.split(", &").second.rsplit('>').first;
  if (body.empty() || body.contains("KernelBody"))
    return fmt::format("{}: by ASSAY_LAUNCH", kernel.str());
  return fmt::format("{}: the derivative of {}, by ASSAY_LAUNCH", kernel.str(), body.str());
}

std::string describe(const RegisteredRule &rule) {
  if (!rule.parts.empty() && llvm::StringRef(rule.parts.front()).starts_with("assay::rules::gpu::"))
    return describe_bundled(rule);
  return fmt::format("{}: {}, registered by {}", rule.function, fmt::join(rule.parts, " and "), rule.table);
}

std::vector<RegisteredRule> registered_rules(const llvm::Module &module, std::string_view checked) {
  std::vector<RegisteredRule> rules;
  for (const llvm::GlobalVariable &global : module.globals())
    if (engine::registration_table(global) == engine::Table::rule)
      add_template_rules(global, rules);
    else if (const std::optional<Mode> mode = mode_of(global))
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the table hands out functions, which stay as they are.
      add_convention_rule(const_cast<llvm::GlobalVariable &>(global), *mode, rules);
  const llvm::Function *start = module.getFunction(checked);
  if (rules.empty() || !start)
    return rules;
  const Reached reached = reached_from(*start);
  for (RegisteredRule &rule : rules)
    rule.is_reached = reached.contains(module.getFunction(rule.function_symbol));
  return rules;
}

/// Nothing where it changes no derivative of what is reached, or cannot be read, which the engine reports.
static std::optional<std::string> declaration_in(llvm::GlobalVariable &global, const Reached &reached) {
  const auto kind = engine::registration_table(global);
  const auto table = engine::RegistrationTable::read(global);
  const bool is_variable = kind == engine::Table::inactive_global;
  if (table.size() == 0 ||
      (!is_variable && kind != engine::Table::inactive_function && kind != engine::Table::function_like))
    return std::nullopt;
  if (is_variable) {
    llvm::Expected<llvm::GlobalVariable *> variable = table.global(0);
    if (!variable)
      llvm::consumeError(variable.takeError());
    else if (reached.contains(*variable))
      return fmt::format("{} carries no derivative, by {}", (*variable)->getName().str(), table.name());
    return std::nullopt;
  }
  const llvm::Function *function = function_at(table, 0);
  if (!function || !reached.contains(function))
    return std::nullopt;
  const std::string name = source_name_of_function(*function);
  if (kind == engine::Table::inactive_function)
    return function->getReturnType()->isFPOrFPVectorTy()
               ? std::optional(fmt::format("{} has no derivative, by {}", name, table.name()))
               : std::nullopt;
  llvm::Expected<std::string> other = table.text(1);
  if (other)
    return fmt::format("{} has the derivatives of {}, by {}", name, *other, table.name());
  llvm::consumeError(other.takeError());
  return std::nullopt;
}

std::vector<std::string> declarations_reached(const llvm::Module &module, std::string_view checked) {
  std::vector<std::string> declarations;
  const llvm::Function *start = module.getFunction(checked);
  if (!start)
    return declarations;
  const Reached reached = reached_from(*start);
  for (const llvm::GlobalVariable &global : module.globals())
    if (engine::registration_table(global))
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the table hands out what it names, which stays as it is.
      if (auto found = declaration_in(const_cast<llvm::GlobalVariable &>(global), reached))
        declarations.push_back(std::move(*found));
  return declarations;
}

} // namespace assay::jit
