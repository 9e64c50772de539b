#pragma once
// The other commands beside `check`.

#include "cli/check_command.hpp"
#include "reports/record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// `assay test`: the test suite of the build tree that this binary is in. `arguments` go to ctest.
ExitCode run_tests(const std::vector<std::string> &arguments);

/// Checks again what record `id` of a report of `assay check` says, counted from 1, or the first record that failed.
ExitCode replay_record(const std::filesystem::path &folder, std::size_t id, const std::string &program);

/// The request of the `assay check` that wrote the record.
CheckArguments arguments_of(const reports::Record &record, const std::string &program);

} // namespace assay::cli
