#pragma once
// Which of the rules that a file registers the option --rule means.

#include "core/jit/module_file.hpp"
#include "core/jit/registered_rules.hpp"

#include <set>
#include <string>
#include <vector>

namespace assay::cli {

/// The rules of the function `name`, or of that class or table. Throws BadRequest where there is none, and where the
/// name means functions that have nothing to do with each other.
std::vector<jit::RegisteredRule> rules_named(const jit::ModuleFile &file, const std::string &name);

/// Whether derivatives of the function `symbol` use one of these tables.
bool uses_rule(const jit::ModuleFile &file, const std::string &symbol, const std::set<std::string> &tables);

} // namespace assay::cli
