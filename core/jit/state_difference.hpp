#pragma once
// A number that a derivative leaves in a variable otherwise than the function does. No LLVM here.

#include <cstddef>
#include <string>

namespace assay::jit {

struct StateDifference {
  std::string variable; ///< Its symbol.
  std::size_t element = 0, elements = 1;
  double seen = 0, expected = 0;
  double before = 0; ///< What it held before the call.
};

} // namespace assay::jit
