#include "cli/describable.hpp"

#include "core/engine/support/launches.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/registered_rules.hpp"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <set>

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

bool is_of_source(const llvm::Function &function, const fs::path &file) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram)
    return !function.hasLinkOnceLinkage() && !function.hasLocalLinkage();
  if (jit::language_of(file) == jit::Language::llvm)
    return subprogram->getFile() == subprogram->getUnit()->getFile();
  std::error_code error;
  const fs::path source = fs::path(subprogram->getDirectory().str()) / subprogram->getFilename().str();
  return fs::equivalent(source, file, error);
}

bool is_made_by_compiler(const llvm::Function &function) {
  const llvm::StringRef name = function.getName();
  const std::string readable = jit::readable_name(name.str());
  return name == "main" || name.starts_with("_GLOBAL__") || name.starts_with("__") || function.isIntrinsic() ||
         readable.find("$_") != std::string::npos || readable.find("{lambda") != std::string::npos ||
         engine::is_launch_stub(function) || (function.getSubprogram() && function.getSubprogram()->isArtificial());
}

std::set<std::string> parts_of_rules(const jit::ModuleFile &file) {
  std::set<std::string> parts;
  if (file.own_functions().empty())
    return parts;
  for (const jit::RegisteredRule &rule : jit::registered_rules(file.module(), file.own_functions().front()))
    parts.insert(rule.part_symbols.begin(), rule.part_symbols.end());
  return parts;
}

} // namespace

std::vector<std::string> functions_of_source(const jit::ModuleFile &file) {
  const std::set<std::string> parts = parts_of_rules(file);
  std::vector<std::string> symbols;
  for (const std::string &symbol : file.own_functions()) {
    const llvm::Function *function = file.module().getFunction(symbol);
    if (function && !parts.contains(symbol) && !is_made_by_compiler(*function) && is_of_source(*function, file.path()))
      symbols.push_back(symbol);
  }
  return symbols;
}

} // namespace assay::cli
