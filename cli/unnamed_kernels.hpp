#pragma once
// CUDA programs as they are, without Assay's headers: the command registers the derivatives of copies, allocations and
// launches of the functions that it checks.

#include <filesystem>
#include <string>

namespace assay::cli {

/// The text of the source `file` with the rules of <assay/gpu/host.hpp> and its kernels named by ASSAY_LAUNCH; `code`
/// is the bitcode of its host. Empty where the source includes that header itself, or does not use CUDA's runtime.
/// Kernels that cannot be named from outside (overloads, those of lambdas, of CUB and of Thrust) are left out.
std::string source_with_rules(const std::filesystem::path &file, const std::string &code);

} // namespace assay::cli
