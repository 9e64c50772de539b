#include "core/engine/support/threads.hpp"
#include "llvm/ADT/StringSwitch.h"

namespace assay::engine {

bool starts_threads(const llvm::Function &function) {
  if (!function.isDeclaration())
    return false;
  const llvm::StringRef name = function.getName();
  if (name.starts_with("__kmpc_fork_") || name.starts_with("__kmpc_omp_task") ||
      name.starts_with("_ZNSt6thread15_M_start_thread"))
    return true;
  return llvm::StringSwitch<bool>(name)
      .Cases({"pthread_create", "thrd_create", "GOMP_parallel", "GOMP_task"}, true)
      .Default(false);
}

} // namespace assay::engine
