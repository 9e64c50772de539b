#pragma once
// The derivative rules that a file registers, and which of them the derivative of a function uses.

#include "core/jit/derivative.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::jit {

struct RegisteredRule {
  std::string table;    ///< `__enzyme_register_gradient_cosine`, or `ASSAY_RULE`
  std::string symbol;   ///< Of that table in the module.
  std::string name;     ///< Of the rule's class; empty for a table of the C convention.
  std::string function; ///< What it is a rule of.
  std::string function_symbol;
  std::vector<std::string> parts; ///< The functions that it consists of: `cosine_augmented`, `cosine_reverse`.
  std::vector<std::string> part_symbols;
  Mode mode = Mode::reverse; ///< In which it is used.
  bool is_reached = false;   ///< The function is called, or its address is taken, by what is checked.
  bool has_body = false;     ///< The function can be differentiated without the rule.
};

/// `cosine: cosine_augmented and cosine_reverse, registered by __enzyme_register_gradient_cosine`.
std::string describe(const RegisteredRule &rule);

/// The symbols of the tables in an LLVM file; none where it cannot be read.
std::set<std::string> registration_tables_of(const std::filesystem::path &file);

/// Those of `module`, in its order; `checked` is the symbol of the function whose derivatives are asked for.
std::vector<RegisteredRule> registered_rules(const llvm::Module &module, std::string_view checked);

/// What the file declares of functions and variables that `checked` reaches, where derivatives go another way for it:
/// an inactive function with a result of numbers, one that is like another, an inactive variable. `gain has no
/// derivative, by __enzyme_inactivefn`.
std::vector<std::string> declarations_reached(const llvm::Module &module, std::string_view checked);

} // namespace assay::jit
