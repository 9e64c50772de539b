#pragma once
// LLVM IR may have been optimised before: a function with a rule is then inlined or removed, and its rule is not used.

#include "core/jit/module_file.hpp"

#include <string>
#include <vector>

namespace assay::cli {

/// One sentence for each registered rule of an .ll or .bc file, FILE itself or linked beside it, whose function nothing
/// calls.
std::vector<std::string> rules_without_calls(const jit::ModuleFile &file);

} // namespace assay::cli
