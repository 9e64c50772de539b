#include "core/jit/fortran_runtime.hpp"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>
#include <string>

namespace assay::jit {

namespace fs = std::filesystem;

bool calls_fortran_runtime(const llvm::Module &module) {
  return std::ranges::any_of(module.functions(), [](const llvm::Function &function) {
    return function.isDeclaration() && !function.use_empty() && function.getName().starts_with(fortran_runtime_prefix);
  });
}

std::optional<fs::path> find_fortran_runtime() {
  constexpr const char *name = "libflang_rt.runtime.a";
  const fs::path libraries = fs::path(ASSAY_LLVM_TOOLS).parent_path() / "lib";
  const fs::path resources = libraries / "clang" / std::to_string(LLVM_VERSION_MAJOR) / "lib";
  std::error_code error;
  for (const fs::path &candidate : {resources / llvm::sys::getDefaultTargetTriple() / name, libraries / name})
    if (fs::is_regular_file(candidate, error))
      return candidate;
  // Triples are spelled in several ways: x86_64-pc-linux-gnu, x86_64-unknown-linux-gnu.
  const std::string machine = llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArchName().str();
  for (const fs::directory_entry &folder : fs::directory_iterator(resources, error))
    if (folder.path().filename().string().starts_with(machine) && fs::is_regular_file(folder.path() / name, error))
      return folder.path() / name;
  return std::nullopt;
}

} // namespace assay::jit
