#pragma once
// The functions and variables that emulated code may refer to, for code that is loaded into this process.

#include <string>
#include <vector>

namespace assay::gpu {

struct Symbol {
  std::string name;
  void *address;
};

/// Conversions to numbers of 16 bits that compiled code calls and the compiler's library may not have.
std::vector<Symbol> conversions_to_halves();
/// Those, `__nv_sin` and so on.
std::vector<Symbol> device_library();
/// Those, and what interface.hpp declares.
std::vector<Symbol> runtime_symbols();

} // namespace assay::gpu
