#pragma once
// The texts of --arg and of marks as specs of a function's parameters.

#include "core/jit/signature.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

/// Values from files are looked for beside `program`, then here. Throws jit::BadRequest.
std::vector<jit::ArgumentSpec> parse_specs(const std::vector<std::string> &texts,
                                           const jit::FunctionSignature &function,
                                           const std::filesystem::path &program);

} // namespace assay::cli
