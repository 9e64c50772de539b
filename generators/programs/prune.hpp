#pragma once
// Leaves the unused parts out of a program.

#include "generators/programs/program.hpp"

namespace assay::gen::programs {

/// Removes functions, globals, structures and variables that nothing uses.
void prune(Program &program);

/// Removes a parameter and the arguments for it; false where its function uses it or the interface needs it.
bool remove_parameter(Program &program, std::size_t function, int parameter);

} // namespace assay::gen::programs
