#include "cli/rules_named.hpp"

#include "core/jit/bad_request.hpp"
#include "core/jit/function_names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::cli {

namespace {

using Rules = std::vector<jit::RegisteredRule>;

/// `geometry::LengthRule` is found as that and as `LengthRule`.
bool is_class_named(const jit::RegisteredRule &rule, const std::string &name) {
  return rule.name == name || rule.name.ends_with("::" + name);
}

Rules with_functions(Rules rules, const std::vector<std::string> &symbols) {
  std::erase_if(rules, [&](const jit::RegisteredRule &rule) {
    return std::ranges::find(symbols, rule.function_symbol) == symbols.end();
  });
  return rules;
}

[[noreturn]] void reject_unknown(const jit::ModuleFile &file, const Rules &rules, const std::string &name) {
  std::set<std::string> known;
  for (const jit::RegisteredRule &rule : rules)
    known.insert("'" + rule.function + "'");
  throw jit::BadRequest(
      fmt::format("no rule '{}' in {}; it has rules for {}", name, file.path().string(), fmt::join(known, ", ")));
}

} // namespace

Rules rules_named(const jit::ModuleFile &file, const std::string &name) {
  const Rules rules = jit::registered_rules(file.module(), "");
  if (rules.empty())
    throw jit::BadRequest(fmt::format(
        "{} registers no rule: neither ASSAY_RULE nor a table of the C convention is there", file.path().string()));
  Rules named;
  std::ranges::copy_if(rules, std::back_inserter(named), [&](const jit::RegisteredRule &rule) {
    return is_class_named(rule, name) || rule.table == name;
  });
  if (!named.empty())
    return named;
  std::vector<std::string> candidates;
  for (const jit::RegisteredRule &rule : rules)
    if (std::ranges::find(candidates, rule.function_symbol) == candidates.end())
      candidates.push_back(rule.function_symbol);
  const std::vector<std::string> symbols = jit::functions_named(name, candidates);
  if (symbols.empty())
    reject_unknown(file, rules, name);
  if (symbols.size() > 1) {
    std::vector<std::string> readable;
    std::ranges::transform(symbols, std::back_inserter(readable), jit::readable_name);
    throw jit::BadRequest(fmt::format("'{}' is ambiguous in {}: '{}'; name one in full", name, file.path().string(),
                                      fmt::join(readable, "', '")));
  }
  return with_functions(rules, symbols);
}

bool uses_rule(const jit::ModuleFile &file, const std::string &symbol, const std::set<std::string> &tables) {
  return std::ranges::any_of(jit::registered_rules(file.module(), symbol), [&](const jit::RegisteredRule &rule) {
    return rule.is_reached && tables.contains(rule.symbol);
  });
}

} // namespace assay::cli
