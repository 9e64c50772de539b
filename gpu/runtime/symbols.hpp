#pragma once
// The functions and variables that emulated code may refer to, for code that is loaded into this process.

#include <string>
#include <vector>

namespace assay::gpu {

struct Symbol {
  std::string name;
  void *address;
};

/// `__nv_sin` and so on.
std::vector<Symbol> device_library();
/// Those, and what interface.hpp declares.
std::vector<Symbol> runtime_symbols();

} // namespace assay::gpu
