#pragma once
// A program as C.

#include "generators/programs/program.hpp"

namespace assay::gen::programs {

/// How the same program is written.
struct Dialect {
  enum class Reals : std::uint8_t { as_they_are, widened };
  std::string prefix;               ///< Of every name with linkage.
  Reals reals = Reals::as_they_are; ///< Widened: every real number is a long double.
};

/// The structures, globals and functions; needs <complex.h>, <math.h>, <stdlib.h>, <string.h> and
/// the types of vectors.
std::string print(const Program &program, const Dialect &dialect);

/// `double *name`, `struct s0 name[3]`, ...
std::string declaration(const Type &type, const std::string &name, const Dialect &dialect);
/// The name of the function that is differentiated.
std::string entry_name(const Program &program, const Dialect &dialect);

} // namespace assay::gen::programs
