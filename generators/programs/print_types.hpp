#pragma once
// The types and globals of a program as C.

#include "generators/programs/print.hpp"

namespace assay::gen::programs {

/// The text before the functions.
std::string print_types(const Program &program, const Dialect &dialect);

} // namespace assay::gen::programs
