#pragma once
// Console output of `assay check` for one function.

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/load_functions.hpp"
#include "cli/parallel_check.hpp"
#include "reports/record.hpp"

#include <filesystem>
#include <vector>

namespace assay::cli {

/// Before any work is done: throws jit::BadRequest where the folder of --report holds a night.
void require_no_night(const std::filesystem::path &folder);

/// A function may change nothing where its output is its input.
bool has_nothing_when_shared(const FunctionToCheck &function, const std::vector<reports::Record> &records);

void show(Console &console, const FunctionToCheck &function, const CheckedFunction &checked, Verbosity verbosity);

} // namespace assay::cli
