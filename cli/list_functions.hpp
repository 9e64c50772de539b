#pragma once
// `assay check --list`: the functions that a request would check, and those that --all would leave out.

#include "cli/load_functions.hpp"

#include <deque>
#include <vector>

namespace assay::cli {

/// One line each on standard output, as options of the command or as JSON; what is left out, as text, on standard
/// error.
ExitCode list_functions(const std::deque<FunctionToCheck> &functions, const std::vector<LeftOutFunction> &left_out,
                        OutputForm form);

} // namespace assay::cli
