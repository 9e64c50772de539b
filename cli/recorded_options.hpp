#pragma once
// What a check was asked for beside what a record has members for, so that a replay asks for the same.

#include "cli/check_command.hpp"

#include <string>

namespace assay::cli {

/// A JSON object of all that is not as it is by default; empty where everything is.
std::string recorded_options(const CheckRequest &request);

/// The inverse. Throws jit::BadRequest where `text` is no such object.
void take_recorded_options(const std::string &text, CheckArguments &arguments);

} // namespace assay::cli
