#include "cli/lost_rules.hpp"

#include "core/jit/registered_rules.hpp"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace assay::cli {

namespace {

/// By code, not only by the tables of rules.
bool is_used(const llvm::Value &value) {
  return std::ranges::any_of(value.users(), [](const llvm::User *user) {
    return llvm::isa<llvm::Instruction>(user) ||
           (llvm::isa<llvm::Constant>(user) && !llvm::isa<llvm::GlobalValue>(user) && is_used(*user));
  });
}

/// The file's own name and those that are linked to it, where they are LLVM IR.
std::vector<std::filesystem::path> files_of_ir(const jit::ModuleFile &file) {
  std::vector<std::filesystem::path> files{file.path()};
  std::ranges::copy(file.linked(), std::back_inserter(files));
  std::erase_if(files, [](const std::filesystem::path &each) { return jit::language_of(each) != jit::Language::llvm; });
  return files;
}

} // namespace

std::vector<std::string> rules_without_calls(const jit::ModuleFile &file) {
  std::vector<std::string> sentences;
  const std::vector<std::filesystem::path> files = files_of_ir(file);
  if (files.empty() || file.own_functions().empty())
    return sentences;
  const std::vector<jit::RegisteredRule> rules = jit::registered_rules(file.module(), file.own_functions().front());
  std::set<std::string> told;
  for (const std::filesystem::path &each : files) {
    const std::set<std::string> tables = jit::registration_tables_of(each);
    for (const jit::RegisteredRule &rule : rules) {
      const llvm::Function *function = file.module().getFunction(rule.function_symbol);
      if (tables.contains(rule.symbol) && function && !is_used(*function) && told.insert(rule.function).second)
        sentences.push_back(fmt::format("{} registers a rule for {}, and nothing in it calls {} any more: its code was "
                                        "inlined or left out before; mark it noinline, or write the file without "
                                        "optimisations",
                                        each.string(), rule.function, rule.function));
    }
  }
  return sentences;
}

} // namespace assay::cli
