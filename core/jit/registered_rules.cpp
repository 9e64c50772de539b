#include "core/jit/registered_rules.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/registration_table.hpp"
#include "core/jit/source_names.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
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

} // namespace

std::string describe(const RegisteredRule &rule) {
  return fmt::format("{}: {}, registered by {}", rule.function, fmt::join(rule.parts, " and "), rule.table);
}

std::vector<RegisteredRule> registered_rules(const llvm::Module &module, std::string_view checked) {
  std::vector<RegisteredRule> rules;
  const llvm::Function *start = module.getFunction(checked);
  std::optional<Reached> reached;
  for (const llvm::GlobalVariable &global : module.globals()) {
    const std::optional<Mode> mode = mode_of(global);
    if (!mode)
      continue;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the table hands out functions, which stay as they are.
    const auto table = engine::RegistrationTable::read(const_cast<llvm::GlobalVariable &>(global));
    llvm::Function *function = table.size() == 0 ? nullptr : function_at(table, 0);
    if (!function)
      continue;
    if (!reached)
      reached = start ? reached_from(*start) : Reached();
    RegisteredRule rule{
        table.name(), global.getName().str(), source_name_of_function(*function), function->getName().str(), {}, {},
        *mode};
    for (unsigned index = 1; index < table.size(); ++index)
      if (const llvm::Function *part = function_at(table, index)) {
        rule.parts.push_back(source_name_of_function(*part));
        rule.part_symbols.push_back(part->getName().str());
      }
    rule.is_reached = reached->contains(function);
    rule.has_body = !function->isDeclaration();
    rules.push_back(std::move(rule));
  }
  return rules;
}

} // namespace assay::jit
