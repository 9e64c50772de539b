#pragma once
// The functions that a file has of its own, without those of the headers that it includes.

#include "core/jit/module_file.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// Symbols in the order of the file; no main, no constructors of variables, no parts of derivative rules, no lambdas.
std::vector<std::string> functions_of_source(const jit::ModuleFile &file);

} // namespace assay::cli
