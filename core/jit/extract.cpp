// Everything becomes internal but the function; a registration table stays if the function that it is about does.

#include "core/jit/extract.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/registration_table.hpp"
#include "core/engine/support/rule_template.hpp"
#include "core/passes/module_analyses.hpp"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <array>

namespace assay::jit {

namespace {

void drop_unreached(llvm::Module &module) {
  llvm::PassBuilder builder;
  ModuleAnalyses analyses(builder);
  llvm::GlobalDCEPass().run(module, analyses.modules);
}

bool is_table(const llvm::GlobalVariable &global) {
  return engine::registration_table(global).has_value();
}

/// What is reached from `value` through code and initialisers.
void reach(llvm::Value &value, llvm::DenseSet<const llvm::Value *> &reached) {
  llvm::SmallVector<llvm::Value *, 32> pending{&value};
  while (!pending.empty()) {
    llvm::Value *next = pending.pop_back_val();
    if (!reached.insert(next).second)
      continue;
    if (auto *function = llvm::dyn_cast<llvm::Function>(next))
      for (llvm::BasicBlock &block : *function)
        for (llvm::Instruction &instruction : block)
          for (llvm::Value *operand : instruction.operands())
            if (llvm::isa<llvm::Constant>(operand))
              pending.push_back(operand);
    if (auto *constant = llvm::dyn_cast<llvm::User>(next); constant && llvm::isa<llvm::Constant>(next))
      for (llvm::Value *operand : constant->operands())
        pending.push_back(operand);
  }
}

/// Null where it is something else than a function, or not known.
const llvm::Function *function_at(const engine::RegistrationTable &table, unsigned index) {
  auto function = table.function(index);
  if (function)
    return *function;
  llvm::consumeError(function.takeError());
  return nullptr;
}

/// The functions that a table says something of: one that a rule is for, or a list.
llvm::SmallVector<const llvm::Function *, 4> functions_of(llvm::GlobalVariable &table) {
  const std::optional<engine::Table> kind = engine::registration_table(table);
  if (kind == engine::Table::rule) {
    auto content = engine::read_rule_table(table);
    if (content)
      return {content->function};
    llvm::consumeError(content.takeError());
    return {nullptr};
  }
  const engine::RegistrationTable entries = engine::RegistrationTable::read(table);
  const bool is_list = kind == engine::Table::inactive_function || kind == engine::Table::nofree;
  llvm::SmallVector<const llvm::Function *, 4> functions;
  for (unsigned index = 0; index < (is_list ? entries.size() : 1U); ++index)
    functions.push_back(function_at(entries, index));
  return functions;
}

bool is_empty(llvm::GlobalVariable &table) {
  return engine::registration_table(table) != engine::Table::rule && engine::RegistrationTable::read(table).size() == 0;
}

/// Of the tables that `is_asked` names, those that are about something reached, again and again: their functions reach
/// more.
void drop_other_tables(llvm::Module &module, llvm::Function &kept,
                       llvm::function_ref<bool(const llvm::GlobalVariable &)> is_asked) {
  llvm::DenseSet<const llvm::Value *> reached;
  reach(kept, reached);
  llvm::SmallVector<llvm::GlobalVariable *, 8> tables;
  for (llvm::GlobalVariable &global : module.globals())
    if (is_table(global))
      tables.push_back(&global);
  for (bool progress = true; progress;) {
    progress = false;
    for (llvm::GlobalVariable *table : tables) {
      if (reached.contains(table) || is_empty(*table))
        continue;
      const llvm::SmallVector<const llvm::Function *, 4> about = functions_of(*table);
      if (llvm::is_contained(about, nullptr)) {
        reach(*table, reached); // About something else: it stays.
      } else if (llvm::any_of(about, [&](const llvm::Function *function) { return reached.contains(function); })) {
        reach(*table, reached);
        progress = true;
      }
    }
  }
  for (llvm::GlobalVariable *table : tables)
    if (is_asked(*table) && !reached.contains(table)) {
      if (engine::registration_table(*table) == engine::Table::rule) // Its mark of the source file refers to it.
        table->replaceAllUsesWith(llvm::ConstantPointerNull::get(table->getType()));
      table->removeDeadConstantUsers(); // The initialiser that a list of used globals had.
      if (table->use_empty())
        table->eraseFromParent();
    }
}

} // namespace

void drop_other_rules(llvm::Module &module, llvm::Function &kept) {
  constexpr std::array rules{engine::Table::rule, engine::Table::gradient, engine::Table::derivative,
                             engine::Table::splitderivative};
  drop_other_tables(module, kept, [&](const llvm::GlobalVariable &table) {
    return llvm::is_contained(rules, *engine::registration_table(table));
  });
}

std::string extract_function(const ModuleFile &file, const FunctionSignature &function, SourceLines lines) {
  const std::unique_ptr<llvm::Module> module = llvm::CloneModule(file.module());
  llvm::removeFromUsedLists(*module, [](llvm::Constant *) { return true; });
  llvm::Function *kept = module->getFunction(function.linkage_name);
  kept->setLinkage(llvm::GlobalValue::ExternalLinkage);
  drop_other_tables(*module, *kept, [](const llvm::GlobalVariable &) { return true; });
  llvm::internalizeModule(*module, [&](const llvm::GlobalValue &value) {
    const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    return &value == kept || (global && is_table(*global));
  });
  drop_unreached(*module);
  if (lines == SourceLines::dropped)
    llvm::StripDebugInfo(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

} // namespace assay::jit
