#pragma once
// One function of a user's file alone, with all that it needs, as LLVM IR in text.

#include "core/jit/module_file.hpp"

#include <string>

namespace assay::jit {

/// What the function does not reach is left out; registered derivatives of what it reaches stay.
std::string extract_function(const ModuleFile &file, const FunctionSignature &function);

} // namespace assay::jit
