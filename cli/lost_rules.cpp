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

} // namespace

std::vector<std::string> rules_without_calls(const jit::ModuleFile &file) {
  std::vector<std::string> sentences;
  if (jit::language_of(file.path()) != jit::Language::llvm || file.own_functions().empty())
    return sentences;
  std::set<std::string> told;
  for (const jit::RegisteredRule &rule : jit::registered_rules(file.module(), file.own_functions().front())) {
    const llvm::Function *function = file.module().getFunction(rule.function_symbol);
    if (function && !is_used(*function) && told.insert(rule.function).second)
      sentences.push_back(fmt::format("{} registers a rule for {}, and nothing in it calls {} any more: its code was "
                                      "inlined or left out before; mark it noinline, or write the file without "
                                      "optimisations",
                                      file.path().string(), rule.function, rule.function));
  }
  return sentences;
}

} // namespace assay::cli
