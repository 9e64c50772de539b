#pragma once
// `assay accuracy`: measures the finite differences against closed forms and draws the results.

#include "cli/check_command.hpp"
#include "fdm/accuracy/sweep.hpp"
#include "reports/figure.hpp"

#include <filesystem>
#include <string>

namespace assay::cli {

/// Error against step by order and by precision, error of adapted methods against order, and how their estimates of
/// their own error compare with it.
std::vector<reports::Figure> accuracy_figures(const fdm::accuracy::Sweep &sweep);

/// Fails where fewer than 19 of 20 error estimates of a precision bound the true error.
ExitCode run_accuracy(const std::filesystem::path &report, const std::string &command_line);

} // namespace assay::cli
