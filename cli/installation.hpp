#pragma once
// Where the command finds its files, in a build tree as in an installation: everything relative to the binary.

#include <filesystem>
#include <optional>
#include <string>

namespace assay::cli {

/// The folder that `#include <assay/check.h>` is found in.
std::filesystem::path include_directory();
/// The shipped examples.
std::filesystem::path examples_directory();
/// The programs that `assay mutate` plants faults in.
std::filesystem::path mutation_directory();
/// The pass plugin.
std::filesystem::path plugin_file();
/// The plugin that gives clang's frontend the attributes of the convention; absent where it was built without clang's
/// headers.
std::optional<std::filesystem::path> frontend_file();
/// `libassay-NAME.a`.
std::filesystem::path library(const std::string &name);
/// The build tree that this binary is in; absent for an installed one.
std::optional<std::filesystem::path> build_directory();

} // namespace assay::cli
