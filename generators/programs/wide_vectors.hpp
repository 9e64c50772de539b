#pragma once
// Vectors of long double, which C has not: structs, and functions for their arithmetic.

#include <string>

namespace assay::gen::programs {

/// C code: `struct wide2`, `wide2_add`, ...
std::string wide_vectors();

} // namespace assay::gen::programs
