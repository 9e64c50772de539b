#include "core/engine/support/threads.hpp"
#include "core/engine/support/library_table.hpp"

namespace assay::engine {

bool starts_threads(const llvm::Function &function) {
  return function.isDeclaration() && library_role(function) == LibraryRole::start_threads;
}

} // namespace assay::engine
