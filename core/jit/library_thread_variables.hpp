#pragma once
// Thread-local variables that libraries of the process define, as those through which std::call_once hands over its
// function. The JIT's own are emulated, and so the code that it loads would look for emulated ones there too.

#include "core/jit/loaded_code.hpp"

namespace llvm {
class Module;
}

namespace assay::jit {

/// The code asks the loader of the process for the address of each in its thread.
void find_thread_variables_of_libraries(llvm::Module &module);

/// What the module calls then.
NamedFunctions thread_variable_symbols();

} // namespace assay::jit
