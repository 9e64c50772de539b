#pragma once
// Whether a program is valid: typed, within all extents and domains, with nothing used before or after its life.

#include "generators/programs/program.hpp"

#include <optional>

namespace assay::gen::programs {

/// The fault of a program; absent for a valid one.
std::optional<std::string> validate(const Program &program);

} // namespace assay::gen::programs
