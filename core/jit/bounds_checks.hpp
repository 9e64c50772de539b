#pragma once
// Accesses beyond local arrays and variables: where code accesses memory of an object that can be told, it asks before
// whether the access lies in it. Blocks on the heap have canaries (heap_watch.hpp).

#include "core/jit/loaded_code.hpp"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace assay::jit {

/// Of all code in `module` but the engine's own.
void add_bounds_checks(llvm::Module &module);

/// The functions that the rewritten code calls.
NamedFunctions bounds_check_symbols();

/// The accesses of this thread's calls while it exists.
class BoundsWatch {
public:
  BoundsWatch();
  /// One sentence for each place: `f accesses memory beyond its array slopes at rule.c:12`.
  static std::vector<std::string> report();
};

} // namespace assay::jit
