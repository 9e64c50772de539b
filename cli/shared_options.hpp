#pragma once
// Options that several commands have.

#include "cli/check_command.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>

namespace assay::cli {

/// A whole number from `least` to `most`, shown with its default.
void add_number(CLI::App &command, const char *name, unsigned &number, const char *description, unsigned least,
                unsigned most);
void add_seed(CLI::App &command, std::uint64_t &seed, const char *description);
void add_samples(CLI::App &command, unsigned &samples, const char *description);
void add_level(CLI::App &command, unsigned &level);
void add_jobs(CLI::App &command, unsigned &jobs, const char *description = "Processes at once");
void add_tolerances(CLI::App &command, CheckSettings &settings);
/// Flags and libraries that sources are compiled and linked with.
void add_sources(CLI::App &command, SourceOptions &sources);
/// Of time, memory and output.
void add_limits(CLI::App &command, CheckSettings &settings);

} // namespace assay::cli
