#pragma once
// Records the comparisons of a program while it runs (comparison_run.hpp): those of numbers, of integers, the cases of
// switches, and the library's functions that decide by comparing (fabs, fmax, copysign, ..). Of the code of rules also
// what it divides by, beside 0: there it is not finite, where the function may be smooth.
//
// They are recorded in the code as the compiler's front end wrote it, where each comparison of the source is one
// instruction: later some have become selects, or tables, or are gone. Records carry no derivative: code that is
// differentiated may have them, and rules of the user's as well.

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>
#include <vector>

namespace assay::trace {

/// Where a comparison stands.
struct ComparisonSite {
  enum class Kind : std::uint8_t {
    numbers,  ///< Of floating-point numbers.
    integers, ///< Of integers.
    choice,   ///< One case of a switch: its value against that of the case.
    divisor,  ///< A number that a rule divides by, with 0.
    library   ///< In a function of the library: fabs and copysign compare with 0, fmax, fmin and fdim their arguments.
  };
  Kind kind = Kind::numbers;
  std::string place;       ///< `f.c:12 in f`; without debug information `in f`.
  bool is_own = true;      ///< In the file that was compiled, or beside it: no header of a library.
  bool is_in_rule = false; ///< Only derivatives run it: the code of registered rules, and what only they call.
};

/// What came of it: by the number of each site. Comparisons of pointers, of vectors, with NaNs and infinities, and
/// those that ask for a NaN are not recorded.
std::vector<ComparisonSite> record_comparisons(llvm::Module &module);

} // namespace assay::trace
