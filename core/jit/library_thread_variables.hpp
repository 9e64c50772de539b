#pragma once
// Thread-local variables that libraries of the process define, as those through which std::call_once hands over its
// function. The JIT's own are emulated, and so the code that it loads would look for emulated ones there too.

#include "core/jit/loaded_code.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::jit {

/// The code asks the loader of the process for the address of each in its thread.
void find_thread_variables_of_libraries(llvm::Module &module);

/// What the module calls then.
NamedFunctions thread_variable_symbols();

/// What the variables of all modules so far hold in this thread: of one of several calls that take turns in it.
class LibraryThreadMemory {
public:
  static LibraryThreadMemory of_this_thread();
  void put_back() const;

private:
  struct Variable {
    std::string name;
    std::vector<std::byte> bytes;
  };
  std::vector<Variable> variables_;
};

} // namespace assay::jit
