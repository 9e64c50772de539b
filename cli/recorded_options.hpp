#pragma once
// The options of a check that a record has no members for, so that a replay asks for the same.

#include "cli/check_command.hpp"

#include <filesystem>
#include <string>

namespace assay::cli {

/// A JSON object of all that is not as it is by default; empty where everything is.
std::string recorded_options(const CheckRequest &request);

/// The inverse. Throws jit::BadRequest where `text` is no such object.
void take_recorded_options(const std::string &text, CheckArguments &arguments);

/// The folder from which the paths of such a record are meant; empty where they are absolute.
std::filesystem::path recorded_directory(const std::string &options);

} // namespace assay::cli
