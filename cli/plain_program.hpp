#pragma once
// CUDA programs as they are, without Assay's headers: the command registers the derivatives of copies, allocations and
// launches of the functions that it checks.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

/// A source that does not include <assay/gpu/host.hpp>, and the kernels of its own that the host launches.
struct PlainProgram {
  std::filesystem::path file;
  std::vector<std::string> kernels; ///< As the source names them.

  /// The source with the rules of that header and its kernels named by ASSAY_LAUNCH.
  std::string with_rules() const;
  /// The one that an error of the compiler speaks of, or none.
  std::optional<std::string> kernel_of_error(const std::string &messages) const;
};

/// `code` is the bitcode of the host of `file`. None where the source includes the header itself, or does not use
/// CUDA's runtime. Kernels that cannot be named from outside (overloads, those of lambdas, of CUB and of Thrust) are
/// left out.
std::optional<PlainProgram> plain_program(const std::filesystem::path &file, const std::string &code);

} // namespace assay::cli
