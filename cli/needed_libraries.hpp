#pragma once
// Libraries that an emulated program is linked to, by the undefined symbols of its object files.

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// Words for the linker. A program that uses GoogleTest and has no `main` gets GoogleTest's; one that uses the harness
/// gets that.
std::vector<std::string> needed_libraries(const std::vector<std::filesystem::path> &objects);

/// Of a program that uses the harness and GoogleTest, for whatever it runs on.
std::vector<std::string> harness_libraries();

} // namespace assay::cli
