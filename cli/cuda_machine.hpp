#pragma once
// The CUDA toolkit and the CUDA device of this machine.

#include <filesystem>
#include <optional>
#include <string>

namespace assay::cli {

/// The first of CUDA_PATH, CUDA_HOME, build/cuda of this source tree and /usr/local/cuda that has a libdevice.
std::optional<std::filesystem::path> find_cuda_toolkit();

/// Where a toolkit has <thrust/...>, <cub/...> and <cuda/std/...>; empty where there is none.
std::filesystem::path find_cuda_libraries();

/// Empty, or why no program can use a device here.
std::string why_no_device();

} // namespace assay::cli
