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

/// The request of the `assay check` that wrote the record, of its mode alone: what is drawn of all combinations, and
/// what is left out, follows from all that was asked for.
CheckArguments arguments_of(const reports::Record &record, const std::string &program);

} // namespace assay::cli
