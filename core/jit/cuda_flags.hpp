#pragma once
// clang's flags for CUDA C++ on a machine without a toolkit, whose headers those of <assay/cuda> stand in for.

#include <filesystem>
#include <string>
#include <vector>

namespace assay::jit {

/// For device code and for host code. `headers` is the folder that <assay/...> is found in. Throws BadRequest where
/// `compiler` cannot be run. `libraries` is the folder of <thrust/...>, <cub/...> and <cuda/std/...>, or empty:
/// Thrust's algorithms for devices run on the host then.
std::vector<std::string> cuda_flags(const std::string &compiler, const std::filesystem::path &headers,
                                    const std::filesystem::path &libraries);

} // namespace assay::jit
