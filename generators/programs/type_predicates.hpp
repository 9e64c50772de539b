#pragma once
// Properties of types as functions, for whoever chooses variables by them.

#include "generators/programs/program.hpp"

namespace assay::gen::programs {

inline bool is_real(const Type &type) {
  return type.is_real();
}
inline bool is_integer(const Type &type) {
  return type.is_integer();
}

} // namespace assay::gen::programs
