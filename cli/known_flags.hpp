#pragma once
// Flags of builds by other compilers.

#include <string>
#include <vector>

namespace assay::cli {

/// Without those that clang does not know, such as `-fanalyzer` of gcc.
std::vector<std::string> known_flags(std::vector<std::string> flags);

} // namespace assay::cli
