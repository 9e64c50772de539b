#pragma once
// Runs of the compiler as a tool, whose failure is that of the request.

#include <string>
#include <vector>

namespace assay::cli {

/// The clang++ that Assay was built for.
extern const std::string compiler;

/// The compiler's output. Throws jit::BadRequest with `failure`, then the first error in its output.
std::string run_compiler(const std::vector<std::string> &words, const std::string &failure);

} // namespace assay::cli
