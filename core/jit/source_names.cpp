#include "core/jit/source_names.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"
#include <fmt/format.h>

namespace assay::jit {

static std::string without_parameters(std::string name) {
  const std::size_t parameters = name.find('(');
  return parameters == 0 || parameters == std::string::npos ? name : name.substr(0, parameters);
}

std::string source_name_of_function(const llvm::Function &function) {
  if (const llvm::DISubprogram *subprogram = function.getSubprogram(); subprogram && !subprogram->getName().empty()) {
    std::string name = without_parameters(llvm::demangle(function.getName()));
    return name.empty() ? subprogram->getName().str() : name;
  }
  return without_parameters(llvm::demangle(function.getName()));
}

/// C calls the static variable `cache` of `rule` `rule.cache`, and another one `rule.cache.3`.
static std::string name_from_symbol(const llvm::Module &module, llvm::StringRef symbol) {
  const auto [function, variable] = symbol.split('.');
  if (const llvm::Function *owner = variable.empty() ? nullptr : module.getFunction(function)) {
    const auto [stem, number] = variable.rsplit('.');
    const bool is_numbered = !number.empty() && llvm::all_of(number, llvm::isDigit);
    return fmt::format("{}::{}", source_name_of_function(*owner), (is_numbered ? stem : variable).str());
  }
  return llvm::demangle(symbol);
}

/// Of a function or class, without the arguments of a template.
static std::string plain_name(llvm::StringRef name) {
  return name.starts_with("operator") ? name.str() : name.split('<').first.str();
}

static std::string scope_of(const llvm::DIGlobalVariable &variable) {
  const auto *local = llvm::dyn_cast_or_null<llvm::DILocalScope>(variable.getScope());
  const llvm::DISubprogram *owner = local ? local->getSubprogram() : nullptr;
  if (!owner)
    return {};
  const auto *parent = llvm::dyn_cast_or_null<llvm::DIType>(owner->getScope());
  return (parent ? plain_name(parent->getName()) + "::" : std::string()) + plain_name(owner->getName()) + "::";
}

std::string source_name_of_variable(const llvm::Module &module, llvm::StringRef name) {
  const llvm::GlobalVariable *global = module.getGlobalVariable(name, true);
  if (!global)
    return name_from_symbol(module, name);
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> notes;
  global->getDebugInfo(notes);
  if (notes.empty())
    return name_from_symbol(module, name);
  const llvm::DIGlobalVariable &variable = *notes.front()->getVariable();
  // A variable of a template's function is named after that, without its arguments and parameters.
  const bool is_mangled = name.starts_with("_Z") && !name.starts_with("_ZZ");
  std::string shown = is_mangled ? llvm::demangle(name) : scope_of(variable) + variable.getName().str();
  return fmt::format("{} ({}:{})", shown, llvm::sys::path::filename(variable.getFilename()).str(), variable.getLine());
}

} // namespace assay::jit
